// The page of a catalog in a browser: page.mjs BROWSER FOLDER. In the folder are
// large.html (2,000 tools), tides.html (testdata/catalog) and hostile.html; screenshots
// go there.
import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { address, browser, colour, desktop, focused, folder, forbidden, mobile, on, wide } from './browser.mjs';

const heading = (page) => page.locator('main h1').innerText();
const chosen = (page) => page.evaluate(() => {
  const row = document.getElementById(document.getElementById('find').getAttribute('aria-activedescendant'));
  return row && row.getAttribute('role') === 'option' ? row.querySelector('b').firstChild.textContent : null;
});

// All with the keyboard: search, choose, open, go back, clear.
await on('tides', '', desktop, async (page) => {
  await page.keyboard.press('/');
  assert.equal(await focused(page), 'find');
  await page.keyboard.type('getTid');
  assert.equal(await page.locator('#count').innerText(), '1 of 38');
  assert.equal(await chosen(page), 'getTides');
  await page.keyboard.press('Escape');
  assert.equal(await page.inputValue('#find'), '');
  assert.equal(await page.locator('#count').innerText(), '38 in all');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  assert.equal(await chosen(page), 'getBerths');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement.id === 'main');
  assert.equal(await heading(page), 'getBerths');
  assert.match(page.url(), /#harbourlog\/tool\/getBerths$/);
  assert.equal(await page.locator('#list [aria-selected=true] b').count(), 1);
  await page.keyboard.press('Tab');
  assert.notEqual(await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle), 'none');
  await page.keyboard.press('Escape');
  assert.equal(await focused(page), 'find');
  assert.ok(!page.url().includes('#'));
  await page.keyboard.type('zzzz');
  assert.equal(await page.locator('#count').innerText(), '0 of 38');
  await page.keyboard.press('Enter'); // of nothing
});

// An address to share, and what is there.
await on('tides', '#parcelbird/tool/bookShipment', { ...desktop, permissions: ['clipboard-read', 'clipboard-write'] },
  async (page) => {
    assert.equal(await heading(page), 'bookShipment');
    const text = await page.locator('main').innerText();
    for (const says of ['needs PARCELBIRD_TOKEN', 'may change something', 'book_shipment_parcelbird', '0.1 to 31.5',
      'overnight', 'default standard', 'An insured express parcel', 'Price in euro cents', 'required']) {
      assert.ok(text.includes(says), says);
    }
    await page.getByRole('button', { name: 'Copy the MCP name' }).click();
    await page.getByText('Copied', { exact: true }).waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), 'book_shipment_parcelbird');
    await page.goto(address('tides', '#tidewatch/tool/getTides'));
    await page.locator('main a', { hasText: 'harbour-master/agent/harbour-master' }).click();
    assert.equal(await heading(page), 'harbour-master');
    await page.goBack();
    assert.equal(await heading(page), 'getTides');
    await page.goto(address('tides', '#no/tool/such'));
    assert.equal(await heading(page), 'Not found');
  });

// Filters.
await on('tides', '', desktop, async (page) => {
  await page.getByRole('button', { name: 'Tools 7', exact: true }).click();
  assert.equal(await page.locator('#count').innerText(), '7 of 38');
  await page.getByRole('button', { name: 'No keys' }).click();
  assert.equal(await page.locator('#count').innerText(), '5 of 38');
  await page.selectOption('#namespace', 'tidewatch');
  assert.equal(await page.locator('#count').innerText(), '2 of 38');
});

// Light and dark: the system's, and then the one of the button.
await on('tides', '#tidewatch/tool/getTides', { ...desktop, colorScheme: 'light' }, async (page) => {
  const light = await colour(page);
  await page.screenshot({ path: join(folder, 'page-light.png') });
  await page.emulateMedia({ colorScheme: 'dark' });
  assert.notEqual(await colour(page), light);
  await page.getByRole('button', { name: 'Dark colours' }).click();
  assert.equal(await colour(page), light);
  await page.reload();
  assert.equal(await colour(page), light, 'the choice is kept');
});
await on('tides', '#parcelbird/tool/bookShipment', { ...desktop, colorScheme: 'dark' }, async (page) => {
  await page.keyboard.press('/');
  await page.keyboard.type('ship');
  await page.screenshot({ path: join(folder, 'page-dark.png') });
});

// A phone: one thing at a time, nothing to scroll sideways.
await on('tides', '', mobile, async (page) => {
  assert.ok(!await wide(page));
  await page.locator('#list li').first().click();
  assert.ok(await page.locator('main').isVisible() && !await page.locator('#list').isVisible());
  assert.ok(!await wide(page));
  await page.getByRole('button', { name: '← Back' }).click();
  assert.ok(await page.locator('#list').isVisible());
  await page.goto(address('tides', '#tidewatch/tool/getTides'));
  await page.screenshot({ path: join(folder, 'page-phone.png') });
  await page.fill('#find', 'ship');
  assert.ok(await page.locator('#list').isVisible(), 'a search shows what it finds');
});

// On paper: the list, or what is open.
await on('tides', '', desktop, async (page) => {
  await page.emulateMedia({ media: 'print' });
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  assert.equal(await page.locator('#printed tr:visible').count(), 38);
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await page.evaluate(() => { location.hash = '#tidewatch/tool/getTides'; });
  assert.equal(await heading(page), 'getTides');
  assert.ok(await page.locator('main').isVisible() && !await page.locator('header').isVisible());
});

// What a catalog says is text, wherever it stands; and the policy forbids all else.
const hostile = JSON.parse(readFileSync(new URL('hostile.ndjson', import.meta.url), 'utf8').split('\n')[0]).id;
for (const hash of ['', '#hostile/tool/run', '#' + encodeURIComponent(hostile)]) {
  await on('hostile', hash, desktop, async (page) => {
    await page.locator('main h1').waitFor();
    assert.notEqual(await heading(page), 'Not found');
    assert.ok((await page.locator('main').textContent()).includes(hostile));
    assert.equal(await page.locator('img, b b, script').count(), 2, 'the data and the script');
    assert.equal(await page.evaluate(() => window.pwned), undefined);
    assert.equal(await page.locator('a:not([href^="#"])').count(), 0);
  });
}
await on('hostile', '', desktop, forbidden);

// 2,000 tools: how large, and how long a key of a search takes, layout included.
await on('large', '', desktop, async (page) => {
  const tools = await page.evaluate(() =>
    JSON.parse(document.getElementById('data').textContent).items.filter((i) => i.type === 'tool').length);
  assert.ok(tools >= 1900, tools + ' tools');
  const far = await page.evaluate(() =>
    JSON.parse(document.getElementById('data').textContent).items[1500].id);
  await page.evaluate((id) => { location.hash = '#' + id; }, far);
  await page.locator('#list [aria-selected=true]').waitFor(); // an address scrolls the list there
  await page.evaluate(() => { location.hash = ''; });
  const size = statSync(join(folder, 'large.html')).size;
  assert.ok(size < 3.1e6 * tools / 2000, size + ' bytes');
  assert.ok(await page.locator('#list li').count() < 60, 'only rows that can be seen are made');
  const times = await page.evaluate(() => {
    const find = document.getElementById('find'), times = [];
    for (const query of ['search sensor status', 'list of airports by region', 'measured value', 'zzzz', 'e']) {
      for (let n = 1; n <= query.length; n++) {
        find.value = query.slice(0, n);
        const start = performance.now();
        find.dispatchEvent(new Event('input'));
        document.getElementById('list').getBoundingClientRect();
        times.push(performance.now() - start);
      }
    }
    return times.sort((a, b) => a - b);
  });
  const median = times[times.length >> 1];
  assert.ok(median < 16, 'the median key takes ' + median + ' ms');
  console.log(`interop: page of ${tools} tools: ${(size / 1e6).toFixed(1)} MB, a key of a search takes ` +
    `${median.toFixed(1)} ms (median), ${times.at(-1).toFixed(1)} ms at most`);
  await page.keyboard.press('/');
  await page.keyboard.press('Escape');
  for (let n = 0; n < 300; n++) await page.keyboard.press('PageDown');
  const last = await page.evaluate(() => [...document.querySelectorAll('#list li')].at(-1).getAttribute('aria-posinset'));
  assert.equal(Number(last), await page.evaluate(() =>
    Number(document.querySelector('#list li').getAttribute('aria-setsize'))), 'the end of the list');
});
await browser.close();
console.log('interop: page of a catalog in Chromium: all as it should be');
