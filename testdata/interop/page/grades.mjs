// The page of grades and the badge in a browser: grades.mjs BROWSER FOLDER. In the folder
// are grades.html and badge.svg (80 schemas), grades-large.html (10,000), grades-none.html, and those of
// hostile-grades.ndjson; screenshots go there.
import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { address, browser, colour, desktop, focused, folder, forbidden, mobile, on, wide } from './browser.mjs';

const count = (page) => page.locator('#count').innerText();
const opened = (page) => page.locator('#detail h2').innerText();
const chosen = (page) => page.evaluate(() =>
  document.getElementById(document.getElementById('table').getAttribute('aria-activedescendant'))
    .querySelector('.schema').textContent);
const column = (page, name) => page.locator('#rows td.' + name).allInnerTexts();
const schemas = (page) => page.evaluate(() => JSON.parse(document.getElementById('data').textContent).schemas);

// All with the keyboard: search, choose, open, go back, clear.
await on('grades', '', desktop, async (page) => {
  assert.equal(await count(page), '80 schemas');
  await page.keyboard.press('/');
  assert.equal(await focused(page), 'find');
  await page.keyboard.type('val050');
  const some = Number((await count(page)).match(/^(\d+) of 80 schemas$/)[1]);
  assert.ok(some > 0 && some < 80);
  const first = await chosen(page);
  await page.keyboard.press('ArrowDown');
  const second = await chosen(page);
  assert.notEqual(second, first);
  await page.keyboard.press('Enter');
  assert.equal(await opened(page), second);
  assert.equal(await focused(page), 'detail');
  assert.match(page.url(), new RegExp('#open=' + second + '&q=val050$'));
  await page.keyboard.press('Escape');
  assert.equal(await focused(page), 'table');
  assert.equal(await page.locator('#detail').isVisible(), false);
  await page.keyboard.press('End');
  assert.equal(await page.locator('#rows tr.active').getAttribute('aria-rowindex'), String(some + 1));
  await page.keyboard.press('Home');
  assert.equal(await chosen(page), first);
  await page.keyboard.press('/');
  await page.keyboard.press('Escape');
  assert.equal(await count(page), '80 schemas');
  await page.keyboard.type('zzzz');
  assert.equal(await count(page), '0 of 80 schemas');
  assert.ok(await page.getByText('No schema matches.').isVisible());
  await page.keyboard.press('Enter'); // of nothing
  assert.equal(await page.locator('#detail').isVisible(), false);
  await page.getByRole('button', { name: 'Show all' }).click();
  assert.equal(await count(page), '80 schemas');
});

// Each column sorts, both ways; the address keeps that.
await on('grades', '', desktop, async (page) => {
  const sorted = async (name, key, wrong) => {
    const values = (await column(page, key)).map((v) => (v === '' ? -1 : Number(v)));
    for (let n = 1; n < values.length; n++) assert.ok(!wrong(values[n - 1], values[n]), name + ': ' + values);
  };
  for (const [name, key] of [['Score', 'score'], ['Errors', 'errors'], ['Warnings', 'warnings']]) {
    await page.getByRole('button', { name, exact: true }).click();
    assert.equal(await page.locator('th.' + key).getAttribute('aria-sort'), 'descending');
    await sorted(name, key, (a, b) => a < b);
    await page.getByRole('button', { name, exact: true }).click();
    assert.equal(await page.locator('th.' + key).getAttribute('aria-sort'), 'ascending');
    await sorted(name, key, (a, b) => a > b);
  }
  await page.getByRole('button', { name: 'Schema', exact: true }).click();
  const ids = await column(page, 'schema');
  assert.deepEqual(ids, [...ids].sort());
  await page.getByRole('button', { name: 'Schema', exact: true }).click();
  assert.match(page.url(), /#sort=-schema$/);
  await page.reload();
  assert.equal(await page.locator('th.schema').getAttribute('aria-sort'), 'descending');
  await page.getByRole('button', { name: 'Grade', exact: true }).click();
  assert.deepEqual((await column(page, 'grade')).slice(0, 3), ['F', 'F', 'F'], 'the worst first');
});

// Filters, in the address too.
await on('grades', '', desktop, async (page) => {
  const all = await schemas(page), number = (fits) => all.filter(fits).length + ' of 80 schemas';
  await page.getByRole('button', { name: /^Grade B: \d+ schemas, \d+ %$/ }).click();
  assert.equal(await count(page), number((s) => s.grade === 'B'));
  await page.locator('#grades button', { hasText: 'none' }).click();
  assert.equal(await count(page), number((s) => s.grade === 'B' || s.grade === '–'));
  await page.locator('#stages button', { hasText: 'production' }).click();
  const both = number((s) => (s.grade === 'B' || s.grade === '–') && s.stage === 'production');
  assert.equal(await count(page), both);
  await page.reload();
  assert.equal(await count(page), both, 'the address has the filters');
  assert.equal(await page.locator('#grades [aria-pressed=true]').count(), 2);
  await page.getByRole('button', { name: 'Show all' }).click();
  await page.getByRole('button', { name: 'Stale 4' }).click();
  assert.equal(await count(page), '4 of 80 schemas');
  await page.getByRole('button', { name: 'Stale 4' }).click();
  await page.selectOption('#namespace', all[0].id.split('/')[0]);
  assert.equal(await count(page), number((s) => s.id.startsWith(all[0].id.split('/')[0] + '/')));
  await page.goto(address('grades', '#'));
  await page.locator('#codes button').first().click();
  assert.match(await page.inputValue('#find'), /^[A-Z]{3}\d{3}$/);
  await page.goto(address('grades', '#grade=A,Z&sort=nothing&stage=none&open=no/such'));
  assert.equal(await count(page), number((s) => s.grade === 'A'), 'what nobody knows is left out');
});

// A schema: why, where, what next; an address to share, and back.
await on('grades', '', { ...desktop, permissions: ['clipboard-read', 'clipboard-write'] }, async (page) => {
  const bad = (await schemas(page)).find((s) => s.grade === 'F' && 'score' in s);
  await page.goto(address('grades', '#open=' + bad.id));
  assert.equal(await opened(page), bad.id);
  assert.ok((await page.title()).startsWith(bad.id + ' · Grades of catalog'));
  const text = await page.locator('#detail').innerText();
  for (const says of ['VAL032 tool-method', 'line 81', 'found "FETCH"', 'stage: validation', 'whenToUse',
    'Every parameter has a description.', 'Needs next', 'validation without errors']) {
    assert.ok(text.includes(says), says);
  }
  assert.equal(await page.getByText('line 81').getAttribute('href'),
    'https://code.example/blob/1/' + bad.path + '#L81');
  await page.getByRole('button', { name: 'Copy the command' }).click();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), 'fmcp-validate ' + bad.path);
  await page.locator('#rows tr[aria-selected=false]').first().click();
  assert.notEqual(await opened(page), bad.id);
  await page.goBack();
  assert.equal(await opened(page), bad.id);
  await page.getByRole('button', { name: 'Close' }).click();
  assert.equal(await page.locator('#rows [aria-selected=true]').count(), 0);
});

// Text can be read on what is behind it: 4.5 to 1, light and dark.
const faint = () => {
  const channels = (colour) => colour.match(/[\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((c) => (c /= 255, c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (e) => {
    for (; e; e = e.parentElement) {
      const c = channels(getComputedStyle(e).backgroundColor);
      if (c.length === 3 || c[3] === 1) return c;
    }
    return [255, 255, 255];
  };
  const bad = [];
  for (const e of document.querySelectorAll('body *')) {
    if (!e.checkVisibility({ opacityProperty: true }) || e.closest('.unseen, script') ||
      ![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim())) continue;
    const [a, b] = [light(channels(getComputedStyle(e).color)), light(behind(e))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) bad.push(e.textContent.slice(0, 30) + ' ' + ratio.toFixed(1));
  }
  return bad;
};
for (const scheme of ['light', 'dark']) {
  await on('grades', '', { ...desktop, colorScheme: scheme }, async (page) => {
    assert.deepEqual(await page.evaluate(faint), [], scheme);
    const stale = (await schemas(page)).find((s) => s.grade === 'F');
    await page.goto(address('grades', '#open=' + stale.id));
    assert.deepEqual(await page.evaluate(faint), [], scheme);
    assert.ok(!await wide(page));
    await page.screenshot({ path: join(folder, 'grades-' + scheme + '.png') });
  });
}
await on('grades', '', { ...desktop, colorScheme: 'light' }, async (page) => {
  const light = await colour(page);
  await page.getByRole('button', { name: 'Dark colours' }).click();
  assert.notEqual(await colour(page), light);
});

// Nothing is cut off, however wide the window is; counts are not, nor what they count.
for (const width of [390, 760, 1000, 1160, 1440, 1900]) {
  for (const hash of ['', '#open=' + JSON.parse(readFileSync(join(folder, 'some.ndjson'), 'utf8').split('\n')[0]).id]) {
    await on('grades', hash, { viewport: { width, height: 720 } }, async (page) => {
      const parts = '.bars button, .bars b, #filters, header';
      assert.deepEqual(await page.evaluate((parts) => [...document.querySelectorAll(parts)]
        .filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.innerText), parts), [], 'at ' + width + hash);
      assert.ok(!await wide(page), 'at ' + width + hash);
    });
  }
}

// A phone: one thing at a time, nothing to scroll sideways.
await on('grades', '', mobile, async (page) => {
  assert.ok(!await wide(page));
  await page.selectOption('#sort', '-score');
  assert.match(page.url(), /#sort=-score$/);
  await page.evaluate(() => scrollTo(0, 900));
  await page.locator('#rows tr[aria-selected]').nth(12).click();
  assert.ok(await page.locator('#detail h2').isVisible() && !await page.locator('#table').isVisible());
  assert.equal(await page.evaluate(() => scrollY), 0);
  assert.ok(!await wide(page));
  await page.getByRole('button', { name: 'Close' }).click();
  assert.ok(await page.locator('#table').isVisible());
  await page.screenshot({ path: join(folder, 'grades-phone.png') });
});

// Without schemas there is nothing to choose or open.
await on('grades-none', '#open=no/such&grade=A', desktop, async (page) => {
  assert.equal(await count(page), '0 schemas');
  assert.ok(await page.getByText('There are no grades.').isVisible());
  assert.equal(await page.getByRole('button', { name: 'Grade A: 0 schemas, 0 %' }).count(), 1);
  await page.locator('#table').focus();
  for (const key of ['ArrowDown', 'End', 'Enter']) await page.keyboard.press(key);
  assert.equal(await page.locator('#detail').isVisible(), false);
});

// On paper: all of the table, or what is open.
await on('grades-large', '', desktop, async (page) => {
  await page.emulateMedia({ media: 'print' });
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await page.evaluate(() => dispatchEvent(new Event('scroll'))); // what is large enough now moves
  assert.equal(await page.locator('#rows tr[aria-selected]').count(), 10000);
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  assert.ok(await page.locator('#rows tr[aria-selected]').count() < 100);
});

// What schemas say is text, wherever it stands; and the policy forbids all else.
await on('grades-hostile', '', desktop, async (page) => {
  const hostile = (await schemas(page))[0].id;
  await page.locator('#rows tr[aria-selected]').click();
  assert.ok((await page.locator('#detail').textContent()).includes(hostile));
  assert.ok((await page.locator('#rows').textContent()).includes(hostile));
  assert.equal(await page.locator('img, b b, script').count(), 2, 'the data and the script');
  assert.equal(await page.evaluate(() => window.pwned), undefined);
  for (const href of await page.locator('a').evaluateAll((list) => list.map((a) => a.href))) {
    assert.ok(href.startsWith('https://code.example/blob/1/') || href.startsWith(address('grades-hostile')), href);
  }
  await page.reload();
  assert.ok((await opened(page)).includes('<b>bold</b>'));
});
await on('grades-hostile', '', desktop, forbidden);

// The text of a badge has room in its part, whatever the font.
for (const name of ['badge', 'badge-hostile']) {
  const page = await browser.newPage();
  await page.setContent(readFileSync(join(folder, name + '.svg'), 'utf8'));
  for (const font of ['Verdana', 'Geneva', 'DejaVu Sans', 'Arial', 'monospace']) {
    const room = await page.evaluate((font) => [...document.querySelectorAll('text')].map((text, n) => {
      text.parentElement.setAttribute('font-family', font);
      return document.querySelectorAll('path')[n].getBBox().width - text.getComputedTextLength();
    }), font);
    assert.ok(room.length >= 2 && room.every((r) => r >= 8 && r < 120), name + ' in ' + font + ': ' + room);
  }
  assert.equal(await page.getByRole('img', { name: /^Grades: \d+ A|: F 3/ }).count(), 1, 'a badge has a name');
  assert.equal(await page.evaluate(() => window.pwned), undefined);
  await page.close();
}

// 10,000 schemas: how long until they are there, sorted, found.
await on('grades-large', '', desktop, async (page) => {
  const start = Date.now();
  await page.reload();
  assert.equal(await count(page), '10000 schemas');
  const loading = Date.now() - start;
  assert.ok(await page.locator('#rows tr').count() < 60, 'only rows that can be seen are made');
  const worst = await page.evaluate(() => {
    const timed = (act) => {
      const start = performance.now();
      act();
      document.getElementById('table').getBoundingClientRect();
      return performance.now() - start;
    };
    const find = document.getElementById('find');
    const sorts = [...document.querySelectorAll('#heads button:enabled')]
      .flatMap((b) => [0, 1].map(() => timed(() => b.click())));
    const keys = [...'val050'].map((_, n) => timed(() => {
      find.value = 'val050'.slice(0, n + 1);
      find.dispatchEvent(new Event('input'));
    }));
    find.value = '';
    find.dispatchEvent(new Event('input'));
    return { sort: Math.max(...sorts), key: Math.max(...keys) };
  });
  assert.ok(loading < 3000 && worst.sort < 1000 && worst.key < 500, JSON.stringify({ loading, ...worst }));
  const size = statSync(join(folder, 'grades-large.html')).size / 1e6;
  console.log(`interop: grades of 10,000 schemas: ${size.toFixed(1)} MB, there after ${loading} ms, sorted in ` +
    `${worst.sort.toFixed(0)} ms, a key of a search ${worst.key.toFixed(0)} ms at most`);
  await page.locator('#table').focus();
  await page.keyboard.press('End');
  assert.equal(await page.locator('#rows tr.active').getAttribute('aria-rowindex'), '10001');
  assert.ok(await page.locator('#rows tr.active').isVisible());
  await page.keyboard.press('Enter');
  const id = await opened(page);
  await page.reload();
  assert.equal(await opened(page), id);
});
await browser.close();
console.log('interop: page of grades in Chromium: all as it should be');
