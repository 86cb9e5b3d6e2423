'use strict';
// What the scripts of all pages share.
const frame = (() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const $ = (id) => document.getElementById(id);

  // el makes an element. What files say gets in as text, never as HTML.
  function el(name, attributes, ...children) {
    const e = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (key.startsWith('on')) e.addEventListener(key.slice(2), value);
      else e.setAttribute(key, value);
    }
    e.append(...children.filter((c) => c !== null && c !== undefined));
    return e;
  }

  const plain = (s) => s.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

  function say(text) { $('said').textContent = text; }

  // copyable is a text and the button that copies it.
  function copyable(text, what) {
    const code = el('code', {}, text);
    const button = el('button', {
      type: 'button', 'aria-label': 'Copy ' + what,
      onclick: async () => {
        try {
          await navigator.clipboard.writeText(text);
          button.textContent = 'Copied';
          say('Copied ' + what);
          setTimeout(() => { button.textContent = 'Copy'; }, 1500);
        } catch { // not allowed: the text is selected, to be copied by hand
          getSelection().selectAllChildren(code);
          say('Selected ' + what);
        }
      },
    }, 'Copy');
    return el('div', { class: 'copy' }, code, button);
  }

  // Light and dark: as the system has it, until the button says otherwise.
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const kept = { get: () => null, set: () => {} };
  try { // a page from a file may have no storage
    kept.get = () => localStorage.getItem('fmcp-theme');
    kept.set = (v) => localStorage.setItem('fmcp-theme', v);
    kept.get();
  } catch { kept.get = () => null; kept.set = () => {}; }
  let theme = kept.get();
  function paint() {
    if (theme) document.documentElement.dataset.theme = theme;
    $('theme').setAttribute('aria-pressed', String(theme ? theme === 'dark' : dark.matches));
  }
  $('theme').addEventListener('click', () => {
    theme = (theme ? theme === 'dark' : dark.matches) ? 'light' : 'dark';
    kept.set(theme);
    paint();
  });
  dark.addEventListener('change', paint);
  paint();

  return { data, $, el, plain, copyable };
})();
