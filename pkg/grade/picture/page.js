'use strict';
(() => {
  const { data, $, el, plain, copyable } = frame;
  const schemas = data.schemas, byKey = new Map();
  const letters = ['A', 'B', 'C', 'D', 'F', 'REJECTED', '–', '!'];
  const named = { REJECTED: 'rejected', '–': 'none', '!': 'not read' };
  const stages = ['research', 'creation', 'api-test', 'validation', 'grade', 'production'];

  // Each schema with what it is found and sorted by; they come the worst first.
  schemas.forEach((s, n) => {
    s.key = byKey.has(s.id) ? s.path : s.id; // two files may say that they are one schema
    byKey.set(s.key, s);
    const cut = s.grade === '!' ? s.id.lastIndexOf('/') : s.id.indexOf('/');
    s.namespace = s.grade === '!' ? '' : s.id.slice(0, cut);
    s.before = s.id.slice(0, cut + 1);
    s.name = s.id.slice(cut + 1);
    s.place = n;
    s.found = s.found || [];
    const count = (severity) => s.found.reduce((sum, f) => sum + (f[1] === severity ? f[2] : 0), 0);
    s.errors = count('error');
    s.warnings = count('warning');
    s.failing = s.failing || [];
    s.text = plain([s.id, s.path, s.stage, s.stale ? 'stale' : '', s.harness || '', ...s.failing.map((f) => f[0]),
      ...s.found.map((f) => f[0] + ' ' + (data.rules[f[0]] || ''))].join(' '));
  });

  const columns = [
    { key: 'grade', title: 'Grade', by: (s) => s.place },
    { key: 'schema', title: 'Schema', by: (s) => s.id },
    { key: 'stage', title: 'Stage', by: (s) => stages.indexOf(s.stage), there: schemas.some((s) => s.stage) },
    { key: 'score', title: 'Score', by: (s) => s.score ?? -1, down: true, there: schemas.some((s) => 'score' in s) },
    { key: 'errors', title: 'Errors', by: (s) => s.errors, down: true },
    { key: 'warnings', title: 'Warnings', by: (s) => s.warnings, down: true },
    { key: 'why', title: 'Why' },
  ].filter((c) => c.there !== false);

  // What is shown, which the address says too.
  const wanted = {
    words: '', grades: new Set(), stages: new Set(), namespace: '', stale: false, sort: 'grade', down: false,
  };
  let found = schemas, active = 0, open = null;

  function address() {
    const p = new URLSearchParams();
    const put = (key, value) => { if (value) p.set(key, value); };
    put('open', open ? open.key : '');
    put('q', wanted.words);
    put('grade', [...wanted.grades].join());
    put('stage', [...wanted.stages].join());
    put('in', wanted.namespace);
    put('stale', wanted.stale ? '1' : '');
    put('sort', wanted.sort === 'grade' && !wanted.down ? '' : (wanted.down ? '-' : '') + wanted.sort);
    return '#' + p.toString().replaceAll('%2F', '/').replaceAll('%2C', ',');
  }

  function fromAddress() {
    const p = new URLSearchParams(location.hash.slice(1)), get = (key) => p.get(key) || '';
    const set = (key, known) => new Set(get(key).split(',').filter((v) => known.includes(v)));
    wanted.words = get('q');
    wanted.grades = set('grade', letters);
    wanted.stages = set('stage', stages);
    wanted.namespace = get('in');
    wanted.stale = get('stale') === '1';
    const sort = get('sort') || 'grade';
    wanted.down = sort[0] === '-';
    wanted.sort = wanted.down ? sort.slice(1) : sort;
    if (!columns.some((c) => c.by && c.key === wanted.sort)) Object.assign(wanted, { sort: 'grade', down: false });
    open = byKey.get(get('open')) || null;
    $('find').value = wanted.words;
    update(false);
    show();
  }

  function select() {
    const words = plain(wanted.words).split(/\s+/).filter(Boolean);
    found = schemas.filter((s) => (!wanted.grades.size || wanted.grades.has(s.grade)) &&
      (!wanted.stages.size || wanted.stages.has(s.stage)) && (!wanted.namespace || s.namespace === wanted.namespace) &&
      (!wanted.stale || s.stale) && words.every((w) => s.text.includes(w)));
    const { by } = columns.find((c) => c.key === wanted.sort), sign = wanted.down ? -1 : 1;
    found.sort((a, b) => {
      const x = by(a), y = by(b);
      return x < y ? -sign : x > y ? sign : a.place - b.place;
    });
  }

  // update shows what is wanted; the address says it, unless it is where that came from.
  function update(say = true) {
    select();
    active = Math.max(0, found.indexOf(open));
    $('count').textContent = found.length === schemas.length ? many(schemas.length) :
      found.length + ' of ' + many(schemas.length);
    $('clear').hidden = found.length === schemas.length;
    $('namespace').value = wanted.namespace;
    $('stale').setAttribute('aria-pressed', String(wanted.stale));
    $('sort').value = (wanted.down ? '-' : '') + wanted.sort;
    for (const [key, button] of bars) button.setAttribute('aria-pressed', String(key()));
    for (const th of $('heads').children) {
      const sorted = th.dataset.key === wanted.sort ? (wanted.down ? 'descending' : 'ascending') : 'none';
      th.setAttribute('aria-sort', sorted);
    }
    if (say) history.replaceState(null, '', address());
    draw();
  }

  const many = (n) => n + (n === 1 ? ' schema' : ' schemas');
  const gradeName = (grade) => named[grade] || 'Grade ' + grade;
  const chip = (grade) => el('span', { class: 'chip', 'data-grade': grade, title: gradeName(grade) },
    named[grade] || grade);

  // reason is the first thing to know of a schema, for its row.
  function reason(s) {
    if (s.stale) return [s.stale[0]];
    if (s.grade === 'REJECTED' && s.notes) return [s.notes[0]];
    if (s.errors) {
      const [code, , , list] = s.found.find((f) => f[1] === 'error');
      return [el('code', {}, code), ' ' + list[0][1]];
    }
    if (s.failing.length) return [el('code', {}, s.failing[0][0]), ' ' + s.failing[0][1]];
    if (s.missing) return [s.missing[0]];
    if (s.next) return [s.next[0][0]];
    const has = ['score' in s ? 'score ' + shortly(s.score) : '', s.stage].filter(Boolean).join(', ');
    return [el('span', { class: 'else' }, has)]; // where these have no column
  }

  const cells = {
    grade: (s) => [chip(s.grade)],
    schema: (s) => [el('span', {}, s.before), el('b', {}, s.name)],
    stage: (s) => [s.stage || ''],
    score: (s) => [s.score === undefined ? '' : s.score.toFixed(2)],
    errors: (s) => [String(s.errors)],
    warnings: (s) => [String(s.warnings)],
    why: reason,
  };
  const shortly = (n) => String(Math.round(n * 100) / 100);

  const table = $('table'), rows = $('rows'), detail = $('detail');
  const rowHeight = () => parseFloat(getComputedStyle(table).getPropertyValue('--row'));

  // draw makes the rows that can be seen, and no others; on paper, all.
  let printing = false;
  function draw() {
    const height = rowHeight(), top = rows.getBoundingClientRect().top;
    const first = printing ? 0 : Math.max(0, Math.min(found.length, Math.floor(-top / height) - 6));
    const last = printing ? found.length : Math.min(found.length, first + Math.ceil(innerHeight / height) + 12);
    const list = [];
    const space = (n) => {
      const td = el('td');
      td.style.height = n * height + 'px';
      return el('tr', { class: 'space', 'aria-hidden': 'true' }, td);
    };
    if (first > 0) list.push(space(first));
    for (let n = first; n < last; n++) {
      const s = found[n];
      const tr = el('tr', { id: 'row' + n, role: 'row', 'aria-rowindex': n + 2, 'aria-selected': String(s === open) },
        ...columns.map((c) => el('td', { role: 'gridcell', class: c.key }, ...cells[c.key](s))));
      tr.addEventListener('click', () => { active = n; go(s); });
      tr.querySelector('.errors').classList.add(s.errors ? 'some' : 'zero');
      if (!s.warnings) tr.querySelector('.warnings').classList.add('zero');
      if (n === active) tr.classList.add('active');
      list.push(tr);
    }
    if (last < found.length) list.push(space(found.length - last));
    $('nothing').hidden = found.length > 0;
    $('nothing').textContent = schemas.length ? 'No schema matches.' : 'There are no grades.';
    table.setAttribute('aria-rowcount', found.length + 1);
    rows.replaceChildren(...list);
    if (active >= first && active < last) table.setAttribute('aria-activedescendant', 'row' + active);
    else table.removeAttribute('aria-activedescendant');
  }

  function move(to) {
    active = Math.max(0, Math.min(found.length - 1, to));
    const height = rowHeight(), at = rows.getBoundingClientRect().top + active * height;
    const above = document.querySelector('header').offsetHeight + $('heads').offsetHeight;
    if (at < above) scrollBy(0, at - above);
    else if (at + height > innerHeight) scrollBy(0, at + height - innerHeight);
    draw();
  }

  // alone says whether the schema that is open is all that is shown.
  const alone = () => getComputedStyle(detail).position === 'static';

  // go opens a schema, at an address of its own.
  function go(s) {
    if (s === open) return;
    open = s;
    history.pushState(null, '', address());
    show();
    draw();
    if (alone()) scrollTo(0, 0);
    detail.focus({ preventScroll: true });
  }

  function close() {
    open = null;
    history.pushState(null, '', address());
    show();
    move(active);
    table.focus({ preventScroll: true });
  }

  const heading = (text) => el('h3', {}, text), says = (text) => el('p', { class: 'reason' }, text);

  // placeOf is a line of a file, as a link where the page was told how to make one.
  function placeOf(path, line, text) {
    if (!data.link || !path) return el('span', { class: 'id' }, text);
    const href = data.link.replaceAll('{path}', path.split('/').map(encodeURIComponent).join('/'))
      .replaceAll('{line}', String(line || 1));
    return el('a', { class: 'id', href, target: '_blank', rel: 'noopener noreferrer' }, text);
  }

  function foundIn(s, severity, title) {
    const list = s.found.filter((f) => f[1] === severity);
    if (!list.length) return [];
    return [heading(title), ...list.map(([code, , n, messages]) => el('div', { class: 'finding ' + severity },
      el('h4', {}, el('code', {}, code), ' ' + (data.rules[code] || ''), n > 1 ? el('i', {}, '  × ' + n) : null),
      el('ul', {}, ...messages.map(([line, message]) => el('li', {},
        line ? placeOf(s.path, line, 'line ' + line) : null, (line ? ' ' : '') + message)),
      n > messages.length ? el('li', {}, 'and ' + (n - messages.length) + ' more: fmcp-validate shows all') : null)))];
  }

  function scoresOf(s) {
    return s.dimensions ? [heading('Scores'), ...s.dimensions.flatMap(([name, score, why]) => {
      const fill = el('i', {});
      fill.style.width = Math.max(0, Math.min(100, score * 20)) + '%';
      return [el('div', { class: 'dimension' }, el('span', {}, name), el('span', { class: 'track' }, fill),
        el('b', {}, shortly(score))), why ? says(why) : null];
    })] : [];
  }

  function failingOf(s) {
    return s.failing.length ? [heading('Tests that fail'), ...s.failing.map(([id, why]) =>
      el('div', { class: 'finding error' }, el('h4', {}, el('code', {}, id)), el('ul', {}, el('li', {}, why))))] : [];
  }

  function nextOf(s) {
    return s.next ? [heading('Needs next'),
      el('ul', { class: 'steps' }, ...s.next.map(([needs, command]) =>
        el('li', {}, needs, command ? copyable(command, 'the command') : null)))] : [];
  }

  function page(s) {
    const marks = [chip(s.grade)];
    const mark = (text, kind) => marks.push(el('span', kind ? { class: kind } : {}, text));
    if ('score' in s) mark('score ' + shortly(s.score) + (s.harness ? ' by ' + s.harness : ''));
    if (s.stage) mark('stage: ' + s.stage);
    if (s.primitives) mark(s.primitives + (s.primitives === 1 ? ' primitive' : ' primitives'));
    for (const old of s.stale || []) mark('stale: ' + old, 'stale');
    return [
      el('button', { id: 'close', type: 'button', onclick: close }, 'Close'),
      el('h2', {}, s.id), s.path && s.path !== s.id ? placeOf(s.path, 1, s.path) : null,
      el('div', { class: 'marks' }, ...marks),
      ...(s.notes || []).map(says),
      ...(s.missing ? [heading('No grade yet'), ...s.missing.map(says)] : []),
      ...foundIn(s, 'error', s.grade === '!' ? 'Why it could not be read' : 'Errors'), ...failingOf(s),
      ...nextOf(s), ...scoresOf(s),
      ...foundIn(s, 'warning', 'Warnings'),
    ];
  }

  // show shows the schema that is open.
  function show() {
    $('sheet').classList.toggle('open', Boolean(open));
    detail.hidden = !open;
    document.title = (open ? open.id + ' · ' : '') + data.title;
    detail.replaceChildren(...(open ? page(open) : []).filter(Boolean));
    detail.scrollTop = 0;
  }

  // The bars: a chart, and each a filter.
  const bars = [];
  function bar(list, { name, what, n, most, pressed, toggle, grade }) {
    const fill = el('i', {}), says = many(n) + ', ' + Math.round(n * 100 / (schemas.length || 1)) + ' %';
    fill.style.width = n * 100 / most + '%';
    if (n) fill.style.minWidth = '3px';
    const button = el('button', {
      type: 'button', class: n ? '' : 'none', title: says, 'aria-label': name + ': ' + says,
      onclick: () => { toggle(); update(); },
    }, el('span', { class: 'what' }, ...what), el('span', { class: 'track' }, fill), el('b', {}, String(n)));
    if (grade) button.dataset.grade = grade;
    bars.push([pressed, button]);
    list.append(el('li', {}, button));
  }
  const flip = (set, value) => { if (!set.delete(value)) set.add(value); };
  function counted(values) {
    const counts = new Map();
    for (const v of values) counts.set(v, (counts.get(v) || 0) + 1);
    return counts;
  }
  const grades = counted(schemas.map((s) => s.grade)), inStage = counted(schemas.map((s) => s.stage).filter(Boolean));
  for (const grade of letters) {
    if (!grades.has(grade) && grade in named) continue;
    bar($('grades'), {
      name: gradeName(grade), what: [chip(grade)], n: grades.get(grade) || 0, most: Math.max(...grades.values()), grade,
      pressed: () => wanted.grades.has(grade), toggle: () => flip(wanted.grades, grade),
    });
  }
  for (const stage of stages) {
    bar($('stages'), {
      name: stage, what: [stage], n: inStage.get(stage) || 0, most: Math.max(...inStage.values()),
      pressed: () => wanted.stages.has(stage), toggle: () => flip(wanted.stages, stage),
    });
  }
  $('stages').parentElement.hidden = !inStage.size;
  const codes = [...counted(schemas.flatMap((s) => [...new Set(s.found.map((f) => f[0]))]))]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, 6);
  for (const [code, n] of codes) {
    bar($('codes'), {
      name: code, what: [el('code', {}, code), ' ' + (data.rules[code] || '')], n, most: codes[0][1],
      pressed: () => wanted.words === code,
      toggle: () => { $('find').value = wanted.words = wanted.words === code ? '' : code; },
    });
  }
  $('codes').parentElement.hidden = !codes.length;

  // The filters.
  const namespaces = [...new Set(schemas.map((s) => s.namespace))].filter(Boolean).sort();
  $('namespace').append(el('option', { value: '' }, 'All namespaces'),
    ...namespaces.map((n) => el('option', { value: n }, n)));
  $('namespace').hidden = namespaces.length < 2;
  $('namespace').addEventListener('change', () => { wanted.namespace = $('namespace').value; update(); });
  const stale = schemas.filter((s) => s.stale).length;
  $('stale').textContent = 'Stale ' + stale;
  $('stale').hidden = !stale;
  $('stale').addEventListener('click', () => { wanted.stale = !wanted.stale; update(); });
  $('clear').addEventListener('click', () => {
    Object.assign(wanted, { words: '', grades: new Set(), stages: new Set(), namespace: '', stale: false });
    $('find').value = '';
    update();
  });
  function sortBy(key, down) {
    Object.assign(wanted, { sort: key, down });
    update();
  }
  for (const c of columns) {
    const th = el('th', { scope: 'col', role: 'columnheader', class: c.key, 'data-key': c.key }, c.by ? el('button', {
      type: 'button',
      onclick: () => sortBy(c.key, wanted.sort === c.key ? !wanted.down : Boolean(c.down)),
    }, c.title) : el('button', { type: 'button', disabled: '' }, c.title));
    $('heads').append(th);
  }
  $('sort').append(...columns.filter((c) => c.by).flatMap((c) => [
    el('option', { value: c.key }, c.title + ' ↑'), el('option', { value: '-' + c.key }, c.title + ' ↓')]));
  $('sort').addEventListener('change', () => {
    const value = $('sort').value;
    sortBy(value.replace('-', ''), value[0] === '-');
  });

  // The keyboard.
  $('find').addEventListener('input', () => { wanted.words = $('find').value; update(); });
  addEventListener('keydown', (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const typing = e.target === $('find'), choosing = typing || e.target === table;
    const fit = Math.max(1, Math.floor(innerHeight / rowHeight()) - 4);
    const to = { ArrowDown: active + 1, ArrowUp: active - 1, PageDown: active + fit, PageUp: active - fit,
      Home: typing ? undefined : 0, End: typing ? undefined : found.length - 1 }[e.key];
    if (choosing && to !== undefined) move(to);
    else if (choosing && e.key === 'Enter' && found[active]) go(found[active]);
    else if (e.key === '/' && !typing && e.target.tagName !== 'SELECT') {
      $('find').focus();
      $('find').select();
    } else if (e.key === 'Escape' && typing && wanted.words) {
      $('find').value = wanted.words = '';
      update();
    } else if (e.key === 'Escape' && open) close();
    else return;
    e.preventDefault();
  });

  for (const event of ['beforeprint', 'afterprint']) {
    addEventListener(event, () => { printing = event === 'beforeprint'; draw(); });
  }
  addEventListener('scroll', draw, { passive: true });
  addEventListener('resize', draw);
  addEventListener('hashchange', fromAddress);
  addEventListener('popstate', fromAddress);
  fromAddress();
})();
