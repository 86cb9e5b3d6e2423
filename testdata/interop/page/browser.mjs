// What the tests of pages share: a browser, and how a page is opened in it.
import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const [browserPath, folder] = process.argv.slice(2);
export { folder };
export const browser = await chromium.launch({
  executablePath: browserPath,
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync'],
});
export const desktop = { viewport: { width: 1160, height: 720 } }, mobile = { viewport: { width: 390, height: 760 } };
export const address = (name, hash = '') => pathToFileURL(resolve(folder, name + '.html')).href + hash;

// on opens a page in a context of its own, and has it checked. Whatever it is: nothing
// but the file is loaded, and nothing goes wrong.
export async function on(name, hash, options, check) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const wrong = [], loaded = [];
  page.on('pageerror', (e) => wrong.push(e.message));
  page.on('console', (m) => wrong.push(m.text()));
  page.on('dialog', (d) => { wrong.push('dialog ' + d.message()); d.dismiss(); });
  page.on('request', (r) => loaded.push(r.url()));
  await page.goto(address(name, hash));
  await check(page, context);
  assert.deepEqual(wrong, [], name + hash);
  assert.ok(loaded.every((url) => url.startsWith(address(name))), 'loaded: ' + loaded);
  await context.close();
}

// forbidden checks that the policy of a page lets nothing be loaded or run.
export async function forbidden(page) {
  page.removeAllListeners('console'); // says that it was forbidden
  await page.evaluate(async () => {
    window.forbidden = [];
    addEventListener('securitypolicyviolation', (e) => window.forbidden.push(e.effectiveDirective));
    await fetch('http://127.0.0.1:9/').catch(() => {});
    const script = document.createElement('script');
    script.textContent = 'window.pwned = 1';
    document.body.append(script);
  });
  await page.waitForFunction(() => window.forbidden.sort().join() === 'connect-src,script-src-elem', null,
    { timeout: 5000 });
  assert.equal(await page.evaluate(() => window.pwned), undefined);
}

export const focused = (page) => page.evaluate(() => document.activeElement.id);
export const colour = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
export const wide = (page) => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
