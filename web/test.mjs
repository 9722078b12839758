// Opens the pages of web/build in Chromium, without a screen: each scene starts and draws, billiards takes a shot by the mouse, and a run
// without a window ends in the same bits as that of the native program.
//
//   node web/test.mjs [--pages FOLDER] [--programs FOLDER] [--pictures FOLDER] [SCENE ...]
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { parseArgs } from 'node:util';
import puppeteer from 'puppeteer-core';

const root = join(import.meta.dirname, '..');
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    pages: { type: 'string', default: join(root, 'target/pages') },
    programs: { type: 'string', default: join(root, 'target/debug/examples') },
    pictures: { type: 'string' },
    browser: { type: 'string', default: '/usr/bin/chromium' },
  },
});
// A page has no files, so it plays no recordings; and the pages have their own list of the scenes.
const all = readdirSync(join(root, 'examples')).map(file => file.replace('.rs', '')).filter(name => !['gallery', 'replay'].includes(name));
const scenes = positionals.length ? positionals : all;

/** Plain apps, and one whose headless run is no run of one world. */
const WITHOUT_HASH = ['flat', 'gltf', 'lab'];
/** At least so many steps are compared; the scenes of golden.txt, where little happens at first, make as many as stand there. */
const STEPS = 600;
/** Keys of a report that depend on the machine: those of scene_kit's MACHINE_KEYS. */
const MACHINE_KEYS = readFileSync(join(root, 'crates/scene_kit/src/report.rs'), 'utf8')
  .match(/MACHINE_KEYS[^[]*\[[^\]]*\] = \[([^\]]*)\]/)[1].match(/\w+/g);
/** A renderer without a GPU draws a frame or two in a second. */
const PATIENCE = 240_000;

const failures = [];
function check(holds, what) {
  console.log(`${holds ? 'ok  ' : 'FAIL'}  ${what}`);
  if (!holds) failures.push(what);
}

const KINDS = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.gltf': 'model/gltf+json' };
const server = createServer((request, answer) => {
  const path = new URL(request.url, 'http://page').pathname;
  try {
    const file = readFileSync(join(options.pages, path.endsWith('/') ? `${path}index.html` : path));
    answer.writeHead(200, { 'content-type': KINDS[extname(path)] ?? 'application/octet-stream', 'content-length': file.length });
    answer.end(file);
  } catch {
    answer.writeHead(404).end();
  }
});
await new Promise(resolve => server.listen(0, resolve));
const address = `http://127.0.0.1:${server.address().port}`;

const browser = await puppeteer.launch({
  executablePath: options.browser,
  protocolTimeout: PATIENCE,
  args: [
    '--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist',
    '--force-prefers-reduced-motion', '--mute-audio',
  ],
});

/** Opens a page, and gathers its errors and its results. */
async function open(query) {
  const page = await browser.newPage();
  await page.setViewport({ width: 640, height: 400 });
  page.setDefaultTimeout(PATIENCE);
  const told = { errors: [], results: [] };
  page.on('console', message => {
    if (message.type() === 'error') told.errors.push(message.text());
    if (message.type() === 'log') told.results.push(message.text());
  });
  page.on('pageerror', problem => told.errors.push(problem.message));
  page.on('requestfailed', request => told.errors.push(`${request.url()}: ${request.failure()?.errorText}`));
  await page.goto(`${address}/scene.html?${query}`);
  await page.waitForFunction(() => document.getElementById('news').hidden || document.getElementById('news').childElementCount === 0);
  const started = await page.$eval('#news', news => news.hidden || news.textContent);
  if (started !== true) told.errors.push(started);
  return { page, told };
}

/** A picture of the scene: how many colours it has, of 4096, and how often the most frequent one comes. */
async function look(page, name) {
  const picture = await page.screenshot({ encoding: 'base64' });
  if (options.pictures) writeFileSync(join(options.pictures, `${name}.png`), picture, 'base64');
  return page.evaluate(async data => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0);
    const { data: pixels } = context.getImageData(0, 0, image.width, image.height);
    const counts = new Map();
    for (let i = 0; i < pixels.length; i += 4) {
      const color = ((pixels[i] >> 4) << 8) | ((pixels[i + 1] >> 4) << 4) | (pixels[i + 2] >> 4);
      counts.set(color, (counts.get(color) ?? 0) + 1);
    }
    return { colors: counts.size, most: (4 * Math.max(...counts.values())) / pixels.length };
  }, picture);
}

/** Looks until the picture is as it should be. */
async function lookUntil(page, name, holds) {
  const end = Date.now() + PATIENCE;
  for (;;) {
    const seen = await look(page, name);
    if (holds(seen) || Date.now() > end) return seen;
    await new Promise(resolve => setTimeout(resolve, 2000));
  }
}

/** Native: the report of a run. */
function run(scene, ...words) {
  const text = execFileSync(join(options.programs, scene), ['--headless', '--report', '-', ...words], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  return JSON.parse(text);
}

/** The first place at which two reports differ; times of the machine do not count. */
function difference(one, other, path = '') {
  if (typeof one !== 'object' || one === null) return Object.is(one, other) ? null : `${path}: ${one} and ${other}`;
  for (const key of new Set([...Object.keys(one), ...Object.keys(other ?? {})])) {
    const found = MACHINE_KEYS.includes(key) ? null : difference(one[key], other?.[key], `${path}.${key}`);
    if (found) return found;
  }
  return null;
}

function goldenSeconds(scene) {
  const golden = readFileSync(join(root, '.ci/golden.txt'), 'utf8');
  return Number(golden.match(new RegExp(`^${scene}, (\\d+) s`, 'm'))?.[1] ?? 0);
}

async function compareBits(scene) {
  const { dt } = run(scene, '--seconds', '0.1');
  const seconds = Math.max(STEPS * dt, goldenSeconds(scene));
  const native = run(scene, '--seconds', String(seconds));
  const { page, told } = await open(`${scene}&headless&seconds=${seconds}&report=-`);
  await page.close();
  check(told.errors.length === 0, `${scene} runs without a window, and tells no error ${told.errors.join('; ')}`);
  const report = JSON.parse(told.results.at(-1) ?? 'null');
  const what = `${scene}, ${Math.round(seconds / dt)} steps: state ${native.state_hash}, on the page ${report?.state_hash}`;
  check(report?.state_hash === native.state_hash, `${what}; ${report?.step_ms?.median.toFixed(2)} ms a step, natively ${native.step_ms.median.toFixed(2)}`);
  const differs = difference(native, report);
  check(differs === null, `${scene}: the rest of the report is the same ${differs ?? ''}`);
}

async function starts(scene) {
  const { page, told } = await open(scene);
  const seen = await lookUntil(page, scene, seen => seen.colors > 20 && seen.most < 0.9);
  check(seen.colors > 20 && seen.most < 0.9, `${scene} draws: ${seen.colors} colours, the most frequent one on ${(100 * seen.most).toFixed(0)} %`);
  check(told.errors.length === 0, `${scene} tells no error ${told.errors.join('; ')}`);
  return { page, told };
}

/** Waits until the page has drawn so many frames: time says little where a frame takes a second. */
function frames(page, count) {
  return page.evaluate(left => new Promise(resolve => {
    const next = () => (left-- > 0 ? requestAnimationFrame(next) : resolve());
    next();
  }), count);
}

async function press(page, key) {
  await page.keyboard.down(key);
  await frames(page, 2);
  await page.keyboard.up(key);
  await frames(page, 2);
}

/** The shot that F5 writes into the address, once the balls lie still. */
async function savedShot(page) {
  const end = Date.now() + PATIENCE;
  while (Date.now() < end) {
    await press(page, 'F5');
    const hash = await page.evaluate(() => location.hash);
    if (hash.startsWith('#shot=')) return { hash, shot: JSON.parse(atob(hash.slice('#shot='.length))) };
  }
  return null;
}

/** In the free table, the mouse aims at the rack, draws the cue back and lets it go. Then the shot is opened by its link. */
async function shootInBilliards() {
  const { page, told } = await open('billiards');
  await frames(page, 5);
  // The menu: the seventh game is the free table.
  for (let i = 0; i < 6; i++) await press(page, 'ArrowDown');
  await press(page, 'Enter');
  await frames(page, 5);
  await page.mouse.move(500, 190);
  await frames(page, 3);
  await page.mouse.down();
  await frames(page, 2);
  await page.mouse.move(300, 190, { steps: 3 });
  await frames(page, 3);
  await look(page, 'billiards-pull');
  await page.mouse.up();
  await frames(page, 10);
  await look(page, 'billiards-shot');
  const saved = await savedShot(page);
  check(saved?.shot.blow.speed > 0.5, `billiards takes a shot by the mouse, with ${saved?.shot.blow.speed.toFixed(2)} m/s`);
  const kept = await page.evaluate(() => localStorage.getItem('shot-1'));
  check(kept !== null && kept === (saved && atob(saved.hash.slice('#shot='.length))), 'the browser keeps the shot, and the address of the page has it');
  check(told.errors.length === 0, `billiards tells no error while it is played ${told.errors.join('; ')}`);
  await page.close();
  if (!saved) return;

  const opened = await open(`billiards&headless&seconds=5&report=-${saved.hash}`);
  const report = JSON.parse(opened.told.results.at(-1) ?? 'null');
  await opened.page.close();
  check(report?.bodies > 0 && opened.told.errors.length === 0, `billiards plays the shot of a link: state ${report?.state_hash} ${opened.told.errors.join('; ')}`);
  const shown = await open(`billiards${saved.hash}`);
  await frames(shown.page, 5);
  await look(shown.page, 'billiards-link');
  await shown.page.close();
  check(shown.told.errors.length === 0, `the link opens the shot in a window ${shown.told.errors.join('; ')}`);
}

try {
  for (const scene of scenes) {
    if (!WITHOUT_HASH.includes(scene)) await compareBits(scene);
    const { page } = await starts(scene);
    await page.close();
  }
  if (scenes.includes('billiards')) await shootInBilliards();
} finally {
  await browser.close();
  server.close();
}
console.log(failures.length ? `${failures.length} checks failed` : 'all checks passed');
process.exitCode = failures.length ? 1 : 0;
