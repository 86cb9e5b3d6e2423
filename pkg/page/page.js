'use strict';
(() => {
  const { data, $, el, plain, copyable } = frame;
  const items = data.items, byID = new Map();
  const titles = {
    tool: 'Tools', query: 'Queries', resource: 'Resources', prompt: 'Prompts', skill: 'Skills', skillmd: 'SKILL.md',
    selection: 'Selections', agent: 'Agents',
  };
  const grades = new Map(Object.entries(data.grades)), users = new Map();

  for (const item of items) {
    byID.set(item.id, item);
    const parts = item.id.split('/');
    item.namespace = parts[0];
    item.name = item.type === 'query' ? parts.slice(2).join(' / ') : parts[parts.length - 1];
    item.key = plain(item.name);
    item.rest = plain([item.namespace, item.wire || '', item.name.replace(/([a-z0-9])([A-Z])/g, '$1 $2'),
      ...(item.tags || []), ...(item.params || []).map((p) => p[0])].join(' '));
    item.text = plain(item.about);
    item.path = plain(item.id);
    for (const [title, ids] of item.refs || []) {
      if (title === 'Queries' || title === 'Resource') continue;
      for (const id of ids) users.set(id, (users.get(id) || new Set()).add(item.id));
    }
  }

  // rank says how well one word fits an item, 0 for not at all.
  function rank(item, word) {
    let at = item.key.indexOf(word);
    if (at >= 0) return item.key.length === word.length ? 100 : at === 0 ? 60 : 40;
    at = item.rest.indexOf(word);
    if (at >= 0) return at === 0 || item.rest[at - 1] === ' ' ? 30 : 20;
    at = item.text.indexOf(word);
    if (at >= 0) return at === 0 || item.text[at - 1] === ' ' ? 12 : 5;
    return item.path.includes(word) ? 10 : 0;
  }

  const wanted = { types: new Set(), namespace: '', keyless: false, reads: false };
  const fits = (item) => (!wanted.types.size || wanted.types.has(item.type)) &&
    (!wanted.namespace || item.namespace === wanted.namespace) &&
    (!wanted.keyless || !item.keys) && (!wanted.reads || item.reads === true);

  // search is every item that has all words, the best first; where none has all, those that have most.
  function search(query) {
    const words = plain(query).split(/\s+/).filter(Boolean), all = [], some = [];
    for (const item of items) {
      if (!fits(item)) continue;
      let score = 0, has = 0;
      for (const word of words) {
        const r = rank(item, word);
        score += r;
        has += r > 0 ? 1 : 0;
      }
      if (has === words.length) all.push([score, item]);
      else if (has > 0) some.push([has * 1000 + score, item]);
    }
    const found = all.length ? all : some;
    if (words.length) found.sort((a, b) => b[0] - a[0]);
    return found.map((f) => f[1]);
  }

  const scroll = $('scroll'), list = $('list'), find = $('find'), main = $('main');
  const rowHeight = 62;
  let found = items, active = 0, open = null;

  // draw makes the rows that can be seen, and no others.
  function draw() {
    const first = Math.max(0, Math.floor(scroll.scrollTop / rowHeight) - 4);
    const last = Math.min(found.length, first + Math.ceil(scroll.clientHeight / rowHeight) + 8);
    const rows = [];
    for (let n = first; n < last; n++) {
      const item = found[n];
      const row = el('li', {
        id: 'row' + n, role: 'option', 'aria-selected': String(item === open), 'aria-posinset': n + 1,
        'aria-setsize': found.length, onclick: () => go(item.id),
      }, el('b', {}, item.name, el('span', {}, '  ' + item.namespace + ' · ' + item.type)), el('small', {}, item.about));
      row.style.top = n * rowHeight + 'px';
      if (n === active) row.className = 'active';
      rows.push(row);
    }
    list.style.height = found.length * rowHeight + 'px';
    list.replaceChildren(...rows);
    if (active >= first && active < last) find.setAttribute('aria-activedescendant', 'row' + active);
    else find.removeAttribute('aria-activedescendant');
  }

  function update() {
    found = search(find.value);
    active = 0;
    scroll.scrollTop = 0;
    $('count').textContent = found.length === items.length ? items.length + ' in all' :
      found.length + ' of ' + items.length;
    draw();
  }

  function move(to) {
    active = Math.max(0, Math.min(found.length - 1, to));
    const top = active * rowHeight;
    if (top < scroll.scrollTop) scroll.scrollTop = top;
    else if (top + rowHeight > scroll.scrollTop + scroll.clientHeight) {
      scroll.scrollTop = top + rowHeight - scroll.clientHeight;
    }
    draw();
  }

  const link = (id) => '#' + encodeURI(id).replace(/#/g, '%23');
  function go(id) {
    if (location.hash === link(id)) show();
    else location.hash = link(id);
  }

  const heading = (text) => el('h2', {}, text);

  function callsOf(item) {
    const base = 'fmcp-exec -c catalog.ndjson ' + item.id;
    const parts = [heading('Call'), copyable((base + ' ' + item.calls[0][1]).trim(), 'the command')];
    if (item.wire) parts.push(el('p', { class: 'says' }, 'Name for MCP clients'), copyable(item.wire, 'the MCP name'));
    return parts;
  }

  function testsOf(item) {
    const base = 'fmcp-exec -c catalog.ndjson ' + item.id;
    const tests = (item.calls || []).filter((c) => c[0] || item.calls.length > 1);
    if (!tests.length) return [];
    return [heading(tests.length === 1 ? 'Test' : 'Tests'), ...tests.flatMap(([about, args]) =>
      [about ? el('p', { class: 'says' }, about) : null, copyable((base + ' ' + args).trim(), 'the command')])];
  }

  const shownValues = 24;
  function valuesOf(values) {
    const box = el('div', { class: 'values' });
    const fill = (some) => box.replaceChildren(...some.map((v) => el('code', {}, String(v))));
    fill(values.slice(0, shownValues));
    if (values.length > shownValues) {
      box.append(el('button', { type: 'button', onclick: () => fill(values) }, 'all ' + values.length));
    }
    return box;
  }

  function parametersOf(item) {
    if (!item.params) return [heading('Parameters'), el('p', { class: 'hint' }, 'None.')];
    const rows = item.params.map(([key, type, limits, about, required, values]) => el('tr', {},
      el('td', {}, el('code', {}, key), required ? el('small', { class: 'required' }, 'required') : null),
      el('td', {}, type, limits ? el('small', {}, limits) : null),
      el('td', {}, about, values ? valuesOf(values) : null)));
    return [heading('Parameters'), el('table', { class: 'parameters' },
      el('thead', {}, el('tr', {}, ...['Name', 'Type', 'Meaning'].map((t) => el('th', { scope: 'col' }, t)))),
      el('tbody', {}, ...rows))];
  }

  function outputOf(item) {
    if (!item.output) return [];
    const lines = typeof item.output === 'string' ? [[0, item.output, 'not described']] : item.output;
    return [heading('Output'), el('ul', { class: 'tree' }, ...lines.map(([depth, name, type, about]) => {
      const line = el('li', {}, el('code', {}, name), el('i', {}, type + (about ? ' — ' + about : '')));
      line.style.marginLeft = depth * 1.2 + 'rem';
      return line;
    }))];
  }

  function refsOf(title, ids) {
    return [heading(title), el('ul', { class: 'refs' }, ...ids.map((id) =>
      el('li', {}, byID.has(id) ? el('a', { href: link(id) }, id) : id)))];
  }

  function marksOf(item) {
    const marks = [];
    const mark = (text, kind) => marks.push(el('span', kind ? { class: kind } : {}, text));
    mark(item.type);
    if (item.wire) mark(item.reads ? 'only reads' : 'may change something', item.reads ? 'reads' : 'writes');
    for (const key of item.keys || []) mark('needs ' + key, 'key');
    if (grades.has(item.id)) mark(grades.get(item.id));
    for (const tag of item.tags || []) mark('#' + tag);
    return el('div', { class: 'marks' }, ...marks);
  }

  function page(item) {
    const facts = (item.facts || []).flatMap(([k, v]) => [el('dt', {}, k), el('dd', {}, v)]);
    return [
      el('h1', {}, item.name),
      el('a', { class: 'id', href: link(item.id), title: 'Link to this' }, item.id),
      marksOf(item), el('p', { class: 'about' }, item.about),
      ...(item.calls ? callsOf(item) : []),
      ...('reads' in item ? parametersOf(item) : []),
      ...testsOf(item), ...outputOf(item),
      ...(item.refs || []).flatMap(([title, ids]) => refsOf(title, ids)),
      ...(users.has(item.id) ? refsOf('Used by', [...users.get(item.id)]) : []),
      ...(item.texts || []).flatMap(([title, text]) => [heading(title), el('pre', { tabindex: 0 }, text)]),
      ...(facts.length ? [heading('Details'), el('dl', {}, ...facts)] : []),
    ];
  }

  function home() {
    const counts = types.map(([type, n]) => el('li', {}, el('button', {
      type: 'button', onclick: () => { choose(type); find.focus(); },
    }, el('b', {}, String(n)), titles[type] || type)));
    const c = data.catalog;
    return [
      el('h1', {}, c.name), el('p', { class: 'about' }, c.about), el('ul', { class: 'counts' }, ...counts),
      c.leftOut ? el('p', { class: 'hint' }, c.leftOut + ' left out of the catalog: fmcp-validate says why.') : null,
      el('p', { class: 'hint' }, el('kbd', {}, '/'), ' search  ', el('kbd', {}, '↑'), ' ', el('kbd', {}, '↓'), ' choose  ',
        el('kbd', {}, 'Enter'), ' open  ', el('kbd', {}, 'Esc'), ' back'),
      el('p', { class: 'hint' }, 'This page has everything in it: it loads nothing, calls nothing and holds no keys.'),
    ];
  }

  // show shows what the address names.
  function show() {
    let id = location.hash.slice(1);
    try { id = decodeURIComponent(id); } catch { /* as it is */ }
    open = byID.get(id) || null;
    document.title = (open ? open.name + ' · ' : '') + data.catalog.name;
    document.body.className = id ? 'open' : 'home';
    const back = el('button', { id: 'back', type: 'button', onclick: leave }, '← Back');
    main.replaceChildren(...(open ? [back, ...page(open)] :
      id ? [back, el('h1', {}, 'Not found'), el('p', {}, 'The catalog has nothing with the ID ' + id + '.')] : home())
      .filter(Boolean));
    main.scrollTop = 0;
    const at = found.indexOf(open);
    if (at >= 0) move(at);
    else draw();
    if (id) main.focus();
  }

  function leave() {
    history.pushState(null, '', location.pathname + location.search);
    show();
    find.focus();
  }

  // The filters.
  const counts = new Map();
  for (const item of items) counts.set(item.type, (counts.get(item.type) || 0) + 1);
  const types = Object.keys(titles).filter((t) => counts.has(t)).map((t) => [t, counts.get(t)]);
  const chips = new Map();
  function choose(type) {
    if (wanted.types.has(type)) wanted.types.delete(type);
    else wanted.types = new Set([type]);
    for (const [t, chip] of chips) chip.setAttribute('aria-pressed', String(wanted.types.has(t)));
    update();
  }
  for (const [type, n] of types) {
    chips.set(type, el('button', { type: 'button', 'aria-pressed': 'false', onclick: () => choose(type) },
      (titles[type] || type) + ' ' + n));
  }
  $('types').append(...chips.values());
  const namespaces = [...new Set(items.map((i) => i.namespace))].sort();
  $('namespace').append(el('option', { value: '' }, 'All namespaces'),
    ...namespaces.map((n) => el('option', { value: n }, n)));
  $('namespace').addEventListener('change', () => { wanted.namespace = $('namespace').value; update(); });
  for (const name of ['keyless', 'reads']) {
    $(name).addEventListener('click', () => {
      wanted[name] = !wanted[name];
      $(name).setAttribute('aria-pressed', String(wanted[name]));
      update();
    });
  }

  // The keyboard.
  const phone = matchMedia('(max-width: 46rem)'); // as in the style: one thing at a time
  find.addEventListener('input', () => {
    if (phone.matches && location.hash) leave();
    update();
  });
  find.addEventListener('keydown', (e) => {
    const fit = Math.max(1, Math.floor(scroll.clientHeight / rowHeight) - 1);
    const to = { ArrowDown: active + 1, ArrowUp: active - 1, PageDown: active + fit, PageUp: active - fit }[e.key];
    if (to !== undefined) move(to);
    else if (e.key === 'Enter' && found[active]) go(found[active].id);
    else return;
    e.preventDefault();
  });
  addEventListener('keydown', (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const typing = e.target === find || e.target.tagName === 'SELECT';
    if (e.key === '/' && !typing) {
      find.focus();
      find.select();
    } else if (e.key === 'Escape' && e.target === find && find.value) {
      find.value = '';
      update();
    } else if (e.key === 'Escape' && location.hash) leave();
    else return;
    e.preventDefault();
  });

  // On paper there is the whole list, or what is open.
  addEventListener('beforeprint', () => {
    if (open) return;
    $('printed').hidden = false;
    $('printed').replaceChildren(el('h1', {}, data.catalog.name), el('table', {}, el('tbody', {}, ...found.map((i) =>
      el('tr', {}, el('td', {}, el('code', {}, i.id)), el('td', {}, i.about))))));
  });
  addEventListener('afterprint', () => { $('printed').hidden = true; $('printed').replaceChildren(); });

  scroll.addEventListener('scroll', draw, { passive: true });
  addEventListener('resize', draw);
  addEventListener('hashchange', show);
  update();
  show();
})();
