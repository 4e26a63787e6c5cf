import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, dirname, extname, join } from 'node:path';
import { promisify } from 'node:util';
import { Parser } from 'htmlparser2';
import { parseHTML } from 'linkedom';
import { barriers, openBrowser, phone } from './support/page/browser';

// The documentation as a site: `npm run docs` builds it.

const run = promisify(execFile);
const root = join(__dirname, '..');
const folder = join(root, 'docs/site');
const dist = join(folder, 'dist');
// Any address: links are resolved as a browser does.
const origin = 'http://site.test';

interface Page {
  url: string;
  anchors: Set<string>;
  links: string[];
  /** What a browser loads with it. */
  loads: string[];
  hasDiagram: boolean;
}

function pageOf(file: string): Page {
  const page: Page = { url: `${origin}/${file}`, anchors: new Set(), links: [], loads: [], hasDiagram: false };
  const loads = (address: string | undefined) => address && page.loads.push(new URL(address, page.url).href);
  const parser = new Parser({
    onopentag(name, { id, class: kind, href, src, srcset, style }) {
      if (id) page.anchors.add(id);
      if (kind === 'diagram') page.hasDiagram = true;
      if (name === 'a' && href) page.links.push(new URL(href, page.url).href);
      else loads(href);
      loads(src);
      for (const image of srcset?.split(',') ?? []) loads(image.trim().split(' ')[0]);
      for (const [, address] of style?.matchAll(/url\(["']?(.*?)["']?\)/g) ?? []) loads(address);
    },
  });
  parser.end(readFileSync(join(dist, file), 'utf8'));
  return page;
}

const filesOf = (ending: string) =>
  readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith(ending));
const fileAt = (path: string) => decodeURIComponent(path.endsWith('/') ? `${path}index.html` : path).slice(1);

let pages: Map<string, Page>;
beforeAll(async () => {
  await run('npm', ['run', '-s', 'docs'], { cwd: root, shell: process.platform === 'win32' });
  pages = new Map(filesOf('.html').map((file) => [file, pageOf(file)]));
}, 1_200_000);

test('every link of a page of the site leads to a page, a file or an anchor of it (R199)', () => {
  expect(pages.size).toBeGreaterThan(60);
  const broken = [...pages].flatMap(([file, { links }]) =>
    links
      .map((link) => new URL(link))
      .filter((link) => link.origin === origin)
      .filter(({ pathname, hash }) => {
        const target = fileAt(pathname);
        if (!existsSync(join(dist, target))) return true;
        return hash !== '' && !pages.get(target)?.anchors.has(decodeURIComponent(hash.slice(1)));
      })
      .map(({ pathname, hash }) => `${file}: ${pathname}${hash}`),
  );
  expect(broken).toEqual([]);
});

test('a page of the site loads what is on the site, and nothing from another host (R199)', () => {
  const missing = [...pages].flatMap(([file, { loads }]) =>
    loads
      .filter((load) => !load.startsWith(`${origin}/`) || !existsSync(join(dist, fileAt(new URL(load).pathname))))
      .filter((load) => !load.startsWith('data:'))
      .map((load) => `${file}: ${load}`),
  );
  expect(missing).toEqual([]);
  const styles = filesOf('.css').map((file) => readFileSync(join(dist, file), 'utf8'));
  expect(styles.flatMap((style) => style.match(/(@import|url\(["']?(https?:)?\/\/)[^)]*/g) ?? [])).toEqual([]);
});

test('each page of docs/ is on one shelf of the sidebar (R199)', () => {
  const written = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md') && name !== 'README.md');
  const builtOf = (name: string) => `${basename(name, '.md')}.html`;
  const { document } = parseHTML(readFileSync(join(dist, builtOf(written[0]!)), 'utf8'));
  const shelves = [...document.querySelectorAll('.VPSidebar .group')].map((shelf) => ({
    name: shelf.querySelector('h2')?.textContent,
    links: [...shelf.querySelectorAll('a')].map((link) => fileAt(link.getAttribute('href')!)),
  }));
  expect(shelves.map(({ name }) => name)).toEqual(['Tutorial', 'How to', 'Reference', 'Explanation']);
  const shelved = shelves.flatMap(({ links }) => links);
  expect(written.filter((name) => shelved.filter((link) => link === builtOf(name)).length !== 1)).toEqual([]);
});

test('llms.txt lists each page of docs/, and the Markdown next to each page links only to what is on the site (R241)', () => {
  const list = readFileSync(join(dist, 'llms.txt'), 'utf8');
  expect(list).toMatch(/^# Vigil\n\n> .+\n\n## Tutorial\n\n- \[Build an agent\]\(build-an-agent\.md\): .+\n/);
  const links = (text: string) => [...text.matchAll(/\]\(([^)\s#]+)/g)].map(([, link]) => link!);
  const listed = links(list);
  const written = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md') && name !== 'README.md');
  expect(written.filter((name) => !listed.includes(name))).toEqual([]);
  const prose = (text: string) => text.replace(/^( *)(```+|~~~~+).*?^\1\2/gms, '');
  const read = [...filesOf('.md'), 'llms.txt'];
  expect(read.length).toBeGreaterThan(60);
  const broken = read.flatMap((file) =>
    links(prose(readFileSync(join(dist, file), 'utf8')))
      .filter((link) => !/^[a-z]+:/.test(link) && !existsSync(join(dist, dirname(file), link)))
      .map((link) => `${file}: ${link}`),
  );
  expect(broken).toEqual([]);
  // What only VitePress reads is not there.
  expect(read.filter((file) => readFileSync(join(dist, file), 'utf8').startsWith('---'))).toEqual([]);
});

test('the site’s own code has no wrong types (R199)', async () => {
  await run(process.execPath, [join(folder, 'node_modules/typescript/bin/tsc'), '--noEmit', '-p', folder]);
});

const types: Record<string, string> = {
  '.html': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
};

async function serve(): Promise<{ address: string; server: Server }> {
  const server = createServer(({ url }, answer) => {
    const path = join(dist, fileAt(new URL(url!, origin).pathname));
    const isThere = existsSync(path) && statSync(path).isFile();
    answer.writeHead(isThere ? 200 : 404, { 'content-type': types[extname(path)] ?? 'application/octet-stream' });
    if (isThere) createReadStream(path).pipe(answer);
    else answer.end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

// Where everything must have run, it fails without a browser.
const browserTest = process.env.CHROMIUM_PATH || process.env.CI === 'true' ? test : test.skip;

browserTest('readers search the site and see its diagrams, and a phone shows each page (R199)', async () => {
  const { address, server } = await serve();
  const browser = await openBrowser([], false);
  try {
    const page = await browser.newPage();
    const elsewhere: string[] = [];
    const complaints: string[] = [];
    page.on('request', (request) => request.url().startsWith(address) || elsewhere.push(request.url()));
    page.on('pageerror', ({ message }) => complaints.push(message));
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    const search = async (words: string, path: string) => {
      await page
        .getByRole('button', { name: /search/i })
        .first()
        .click();
      await page.getByRole('searchbox').fill(words);
      const result = page.locator(`a.result[href*="${path}"]`).first();
      const target = new URL((await result.getAttribute('href'))!, address);
      await result.click();
      await page.waitForURL(target.href);
      await page.locator('.vp-doc h1').waitFor();
    };
    await page.goto(address);
    await search('timer', '/');
    expect(await page.locator('.vp-doc').textContent()).toMatch(/timer/i);
    // The button of the search is the theme's own.
    expect((await barriers(page)).filter((barrier) => !barrier.includes('DocSearch'))).toEqual([]);
    await search('defineAgent', '/packages/');
    await search('deliverToWebhook', '/http/');

    await page.setViewportSize(phone.viewport!);
    // A page without a diagram has its layout before its scripts, which cost more than all else.
    const still = await browser.newPage({ viewport: phone.viewport!, javaScriptEnabled: false });
    for (const [file, { hasDiagram }] of pages) {
      const shown = hasDiagram ? page : still;
      await shown.goto(`${address}/${file}`);
      if (hasDiagram) await page.locator('.diagram svg').first().waitFor();
      // Wide tables and diagrams scroll by themselves.
      const width = await shown.evaluate(() => document.documentElement.scrollWidth);
      expect({ file, width }).toEqual({ file, width: phone.viewport!.width });
    }
    expect(complaints).toEqual([]);
    expect(elsewhere).toEqual([]);
  } finally {
    await browser.close();
    server.close();
    server.closeAllConnections();
  }
});
