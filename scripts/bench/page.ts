import { join } from 'node:path';
import { ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { key } from '../../core/conversations/rows/keys';
import { type Table, write } from '../../core/conversations/store/table';
import { synthesize } from '../../infra/synth';
import { builtPage } from '../../local/npm-start/page';
import { signIn, type User } from '../../test/support/api-client';
import { compileCloud } from '../../test/support/clouds/compile-cloud';
import { conversationsIn, endCloud, type ServedCloud, serveCloud } from '../../test/support/clouds/served-cloud';
import { dynamodbOf } from '../../test/support/clouds/shared-clouds';
import { openBrowser, pageFolder } from '../../test/support/page/browser';
import { type ModelServer, startModelServer } from '../../test/support/servers/model-server';
import { budgets } from './budgets';
import { type Figure, inScratch, median, root, times } from './measure';

const conversations = 300;
const messages = 1_000;
const rounds = 5;
/** The time until all that follows the start, such as the second look at the indexes, is over. */
const settledMs = 8_000;
const idleMs = 10_000;

/** What a part of the bench uses: `long` is the id of the conversation of 1,000 messages. */
interface Given {
  browser: Browser;
  cloud: ServedCloud;
  model: ModelServer;
  ada: User;
  long: string;
}

const parts = {
  start: ({ browser, cloud }) => startFigures(browser, cloud),
  token: async ({ browser, cloud, model, ada }) => [await firstTokenFigure(browser, cloud, model, ada)],
  sentence: async ({ browser, cloud, model, ada }) => [await sentenceFigure(browser, cloud, model, ada)],
  growing: ({ browser, cloud, model, ada }) => growingFigures(browser, cloud, model, ada),
  idle: async ({ browser, cloud }) => [await idleFigure(browser, cloud)],
  memory: async ({ browser, cloud }) => [await memoryFigure(browser, cloud)],
  open: async ({ browser, cloud, long }) => [await openFigure(browser, cloud, long)],
  typing: async ({ browser, cloud, long }) => [await typingFigure(browser, cloud, long)],
} satisfies Record<string, (given: Given) => Promise<Figure[]>>;

export type PagePart = keyof typeof parts;
export const pageParts = Object.keys(parts) as PagePart[];

/**
 * Measures the page in Chromium, with a user of 300 conversations, on a local cloud that is warm; the browser's cache is
 * empty each time.
 *
 * @throws Error if there is no Chromium.
 */
export async function pageBench(chosen = pageParts): Promise<Figure[]> {
  process.env.CHROMIUM_PATH = (
    require('../../test/support/page/find-chromium') as { findChromium(): string }
  ).findChromium();
  return inScratch(async (folder) => {
    await Promise.all([compileCloud(), builtPage(root)]);
    const { assembly } = await synthesize(join(folder, 'assembly'));
    const model = await startModelServer({ script: () => ({ text: 'Hello.' }) });
    const env = {
      ...process.env,
      OPENAI_BASE_URL: model.url,
      OPENAI_API_KEY: 'bench',
      VIGIL_PAGE: pageFolder,
      VIGIL_TITLES: 'off',
    };
    const cloud = await serveCloud(assembly, join(folder, 'state'), env);
    const browser = await openBrowser();
    try {
      const ada = await signIn(cloud.url, 'ada');
      const long = await longConversation(cloud, ada);
      for (let count = 0; count < conversations; count += 10)
        await Promise.all(Array.from({ length: 10 }, () => ada.start('reminder')));
      const figures: Figure[] = [];
      for (const part of chosen) figures.push(...(await parts[part]({ browser, cloud, model, ada, long })));
      return figures;
    } finally {
      await browser.close();
      await endCloud(cloud, 'SIGTERM');
      await model.stop();
    }
  });
}

/** Opens the page in a browser that has seen nothing yet. */
async function inNewWindow<T>(browser: Browser, work: (page: Page) => Promise<T>, width = 1_360): Promise<T> {
  const context = await browser.newContext({ viewport: { width, height: 860 } });
  try {
    return await work(await context.newPage());
  } finally {
    await context.close();
  }
}

const entries = (page: Page) => page.getByRole('navigation').getByRole('listitem');

async function startFigures(browser: Browser, { url }: ServedCloud): Promise<Figure[]> {
  const starts = await times(rounds, () =>
    inNewWindow(browser, async (page) => {
      let requests = 0;
      const count = (request: { url(): string }) => {
        if (!isFile(request.url())) requests += 1;
      };
      page.on('request', count);
      page.on('websocket', count);
      await page.goto(url);
      await entries(page).first().waitFor();
      const usable = await page.evaluate(() => performance.now());
      // The live view has been opened, and what it may have missed has been read.
      await page.locator('[data-connection=live]').waitFor();
      await page.waitForTimeout(2_000);
      const { paint, bytes } = await page.evaluate(() => ({
        paint: performance.getEntriesByName('first-contentful-paint')[0]!.startTime,
        bytes: [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
          .filter(({ name }) => /\.(?:js|css)$|\/$/.test(name))
          .reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).encodedBodySize, 0),
      }));
      return { paint, usable, bytes, requests };
    }),
  );
  const of = (what: keyof (typeof starts)[number]) => median(starts.map((start) => start[what]));
  const note = `median of ${rounds}`;
  return [
    { key: 'firstPaintMs', name: 'first paint', value: of('paint'), unit: 'ms', bar: 1_000, note },
    { key: 'listUsableMs', name: 'list usable', value: of('usable'), unit: 'ms', bar: 1_500, note },
    {
      key: 'firstLoadKbGzip',
      name: 'document, script and style, gzip',
      value: of('bytes') / 1_000,
      unit: 'KB',
      bar: budgets['page.kilobytes'].limit,
      note: 'before a conversation is opened; without the font',
    },
    {
      key: 'requestsAtStart',
      name: 'requests at the start',
      value: of('requests'),
      unit: '',
      bar: 8,
      note: `with ${conversations} conversations and the WebSocket, without the page’s own files`,
    },
  ];
}

const isFile = (url: string): boolean => {
  const { pathname } = new URL(url);
  return pathname === '/' || /\.(?:js|css|woff2|svg|png)$/.test(pathname);
};

/** Begins a conversation of one exchange. @returns its id. */
async function greeted(model: ModelServer, ada: User): Promise<string> {
  model.begin({ script: () => ({ text: 'Hello.' }) });
  const { id } = await ada.start('reminder', 'Hi');
  await ada.finished(id);
  return id;
}

/** From the first token of a reply at the model, which then pauses in the middle of a word, to the token on the screen. */
async function firstTokenFigure(
  browser: Browser,
  { url }: ServedCloud,
  model: ModelServer,
  ada: User,
): Promise<Figure> {
  return inNewWindow(browser, async (page) => {
    const id = await greeted(model, ada);
    await page.goto(`${url}/#/c/${id}`);
    await page.getByText('Hello.').waitFor();
    const taken: number[] = [];
    for (let turn = 0; turn <= 2 * rounds; turn++) {
      const token = `Tok${turn}`;
      model.script([{ text: `${token}en is the first word.`, holdAfter: token.length }]);
      const seen = whenSeen(page, token);
      const held = model.held().then(() => Date.now());
      await ada.say(id, 'Go on');
      const sent = await held;
      taken.push((await seen) - sent);
      model.release();
      await ada.finished(id);
    }
    return {
      key: 'firstTokenMs',
      name: 'the first token, from the model to the screen',
      // The first turn warms up.
      value: median(taken.slice(1)),
      unit: 'ms',
      bar: 150,
      note: `median of ${2 * rounds}, of replies that pause in the middle of a word`,
    };
  });
}

/** A reply of 12,000 characters with everything that Markdown has, at 100 tokens a second: how busy the page is while it grows. */
async function growingFigures(
  browser: Browser,
  { url }: ServedCloud,
  model: ModelServer,
  ada: User,
): Promise<Figure[]> {
  const section = `## A heading\n\n${'A sentence with **bold** words, `code` and a [link](https://example.com). '.repeat(8)}\n\n- one\n- two\n\n\`\`\`ts\nconst answer = 42;\n\`\`\`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n`;
  const text = `${section.repeat(16)}The end of it.`;
  const figures: Figure[] = [];
  for (const width of [390, 1_280])
    await inNewWindow(
      browser,
      async (page) => {
        const id = await greeted(model, ada);
        await page.goto(`${url}/#/c/${id}`);
        await page.getByText('Hello.').waitFor();
        model.begin({ script: [{ text, sentenceDelayMs: 10 }], style: { deltas: 'fragments' } });
        const devtools = await page.context().newCDPSession(page);
        await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
        const busy = async () => {
          const { metrics } = await devtools.send('Performance.getMetrics');
          return metrics.find(({ name }) => name === 'TaskDuration')!.value;
        };
        const seen = whenSeen(page, 'The end of it.');
        await page.evaluate(jumpsBegin);
        await page.evaluate(framesBegin);
        await ada.say(id, 'Go on');
        const [before, begun] = [await busy(), Date.now()];
        const seconds = ((await seen) - begun) / 1_000;
        const percent = ((await busy()) - before) / (seconds / 100);
        const missed = await page.evaluate(() => (globalThis as { missed?: number }).missed ?? 0);
        await ada.finished(id);
        const note = `a reply of ${text.length.toLocaleString('en')} characters in ${seconds.toFixed(0)} s`;
        const jumps = await page.evaluate(() => (globalThis as { jumps?: number }).jumps ?? 0);
        figures.push(
          {
            key: `growing${width}Percent`,
            name: `main thread, ${width} px, a reply grows`,
            value: percent,
            unit: '%',
            note,
          },
          {
            key: `growing${width}MissedPercent`,
            name: 'frames of 60 a second that were missed meanwhile',
            value: missed / (seconds * 0.6),
            unit: '%',
          },
          { key: `growing${width}Jumps`, name: 'lines that jump back meanwhile', value: jumps, unit: '', bar: 0 },
        );
      },
      width,
    );
  return figures;
}

/** Counts the parts of replies that move up although nothing is scrolled. */
const jumpsBegin = () => {
  const all = globalThis as { jumps?: number };
  all.jumps = 0;
  type Shift = { sources: { node?: Node; previousRect: DOMRect; currentRect: DOMRect }[] };
  new PerformanceObserver((list) => {
    for (const { sources } of list.getEntries() as unknown as Shift[])
      for (const { node, previousRect, currentRect } of sources)
        if (node?.parentElement?.closest('article .prose') && currentRect.height && currentRect.y < previousRect.y - 4)
          all.jumps! += 1;
  }).observe({ type: 'layout-shift' });
};

/** Counts the frames of 60 a second in which the page could not draw. */
const framesBegin = () => {
  const all = globalThis as { missed?: number };
  all.missed = 0;
  let last = performance.now();
  // A function with a name would be wrapped by the compiler, in a helper that the browser does not have.
  const loop = {
    draw(now: number): void {
      all.missed! += Math.max(0, Math.round(((now - last) * 60) / 1_000) - 1);
      last = now;
      requestAnimationFrame(loop.draw);
    },
  };
  requestAnimationFrame(loop.draw);
};

/** From the end of a sentence at the model, which then pauses or ends, to the sentence on the screen. */
async function sentenceFigure(browser: Browser, { url }: ServedCloud, model: ModelServer, ada: User): Promise<Figure> {
  return inNewWindow(browser, async (page) => {
    const id = await greeted(model, ada);
    await page.goto(`${url}/#/c/${id}`);
    await page.getByText('Hello.').waitFor();
    const taken: number[] = [];
    for (let turn = 0; turn <= rounds; turn++) {
      const [first, last] = [`Sentence ${turn} begins. `, `Sentence ${turn} ends.`];
      model.script([{ text: first + last, holdAfter: first.length }]);
      const seen = [first, last].map((text) => whenSeen(page, text.trim()));
      const held = model.held().then(() => Date.now());
      await ada.say(id, 'Go on');
      const sent = await held;
      taken.push((await seen[0]!) - sent);
      const released = Date.now();
      model.release();
      taken.push((await seen[1]!) - released);
      await ada.finished(id);
    }
    // The first turn warms up.
    const value = median(taken.slice(2));
    return {
      key: 'sentenceMs',
      name: 'a sentence, from the model to the screen',
      value,
      unit: 'ms',
      bar: 150,
      note: `median of ${2 * rounds}, half of them the last ones of a reply`,
    };
  });
}

/** Resolves with the time at which the page shows this text. */
const whenSeen = (page: Page, text: string): Promise<number> =>
  page.evaluate(
    (text) =>
      new Promise<number>((seen) => {
        new MutationObserver(() => {
          if (document.body.textContent?.includes(text)) seen(Date.now());
        }).observe(document.body, { childList: true, subtree: true, characterData: true });
      }),
    text,
  );

async function idleFigure(browser: Browser, { url }: ServedCloud): Promise<Figure> {
  return inNewWindow(browser, async (page) => {
    await page.goto(url);
    await entries(page).first().waitFor();
    const older = page.getByRole('button', { name: 'Show older' });
    while ((await entries(page).count()) < conversations) await older.click();
    await page.waitForTimeout(settledMs);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
    const busy = async () => {
      const { metrics } = await devtools.send('Performance.getMetrics');
      return metrics.find(({ name }) => name === 'TaskDuration')!.value;
    };
    const before = await busy();
    await page.waitForTimeout(idleMs);
    const percent = ((await busy()) - before) / (idleMs / 100_000);
    return {
      key: 'idlePercent',
      name: 'main thread, idle',
      value: percent,
      unit: '%',
      bar: 1,
      note: `with ${conversations} conversations listed`,
    };
  });
}

/** How much more the page holds after two hours in which nothing happens: its timers run, its clock moves. */
async function memoryFigure(browser: Browser, { url }: ServedCloud): Promise<Figure> {
  return inNewWindow(browser, async (page) => {
    await page.clock.install();
    await page.goto(url);
    await entries(page).first().waitFor();
    const devtools = await page.context().newCDPSession(page);
    const idle = async (minutes: number) => {
      for (let step = 0; step < minutes * 6; step++) {
        await page.clock.runFor(10_000);
        // The answer to a ping needs real time: without it, the page would connect again and again.
        await page.locator('[data-connection=live]').waitFor();
        await page.waitForTimeout(20);
      }
    };
    await page.locator('[data-connection=live]').waitFor();
    await idle(10);
    const before = await bytesHeld(devtools);
    await idle(120);
    const value = ((await bytesHeld(devtools)) / before - 1) * 100;
    const note = `of ${(before / 1e6).toFixed(1)} MB`;
    return { key: 'idleMemoryPercent', name: 'more memory after two idle hours', value, unit: '%', bar: 5, note };
  });
}

/**
 * Returns the bytes of a page's objects, strings and nodes, after a garbage collection. What the engine makes of the page's functions does not
 * count: two hours are simulated in about 90 seconds, so functions become hot that are not in two real hours. In one run, 640 of 712 kB more were
 * such code.
 */
async function bytesHeld(devtools: CDPSession): Promise<number> {
  const chunks: string[] = [];
  const take = ({ chunk }: { chunk: string }) => chunks.push(chunk);
  devtools.on('HeapProfiler.addHeapSnapshotChunk', take);
  await devtools.send('HeapProfiler.collectGarbage');
  // Collects garbage, too.
  await devtools.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  devtools.off('HeapProfiler.addHeapSnapshotChunk', take);
  const { snapshot, nodes } = JSON.parse(chunks.join('')) as HeapSnapshot;
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const [type, size, code] = [fields.indexOf('type'), fields.indexOf('self_size'), types[0].indexOf('code')];
  if (Math.min(type, size, code) < 0) throw new Error('This Chromium writes heap snapshots in another format.');
  let bytes = 0;
  for (let node = 0; node < nodes.length; node += fields.length)
    if (nodes[node + type] !== code) bytes += nodes[node + size]!;
  return bytes;
}

interface HeapSnapshot {
  snapshot: { meta: { node_fields: string[]; node_types: [string[], ...unknown[]] } };
  nodes: number[];
}

/** From a key to the frame after it, with a long conversation on the page. */
async function typingFigure(browser: Browser, { url }: ServedCloud, id: string): Promise<Figure> {
  return inNewWindow(browser, async (page) => {
    await page.goto(`${url}/#/c/${id}`);
    await page.getByText(`Reply ${messages}.`).waitFor();
    await page.waitForTimeout(2_000);
    await page.evaluate(() => {
      const all = globalThis as { typed?: number[] };
      all.typed = [];
      addEventListener(
        'keydown',
        ({ timeStamp }) => requestAnimationFrame(() => all.typed!.push(performance.now() - timeStamp)),
        true,
      );
    });
    const composer = page.getByRole('textbox', { name: 'Message' });
    await composer.focus();
    const text = 'What should I do about the second one, and when? '.repeat(4);
    await composer.pressSequentially(text, { delay: 37 });
    const taken = (await page.evaluate(() => (globalThis as { typed?: number[] }).typed!)).sort((a, b) => a - b);
    return {
      key: 'typing1000P95Ms',
      name: `${messages} messages, from a key to the next frame`,
      value: taken[Math.floor(taken.length * 0.95)]!,
      unit: 'ms',
      bar: 16.7,
      note: `95th percentile of ${taken.length}; a frame takes 16.7`,
    };
  });
}

async function openFigure(browser: Browser, { url }: ServedCloud, id: string): Promise<Figure> {
  const value = median(
    await times(3, () =>
      inNewWindow(browser, async (page) => {
        await page.goto(url);
        await entries(page).first().waitFor();
        await page.locator('[data-connection=live]').waitFor();
        const seen = whenSeen(page, `Reply ${messages}`);
        const begun = await page.evaluate((id) => {
          location.hash = `#/c/${id}`;
          return Date.now();
        }, id);
        return (await seen) - begun;
      }),
    ),
  );
  const note = 'median of 3, with the script that shows it';
  return { key: 'open1000Ms', name: `${messages} messages, opened`, value, unit: 'ms', bar: 1_500, note };
}

/** A conversation of 500 exchanges, as they are stored. */
async function longConversation(cloud: ServedCloud, ada: User): Promise<string> {
  const client = DynamoDBDocumentClient.from(dynamodbOf(cloud), { marshallOptions: { removeUndefinedValues: true } });
  const { TableNames } = await client.send(new ListTablesCommand());
  const table: Table = { client, name: conversationsIn(TableNames!) };
  const { id } = await ada.start('reminder');
  const createdAt = new Date().toISOString();
  const rows = Array.from({ length: messages }, (_, index) => {
    const seq = index + 1;
    const role = seq % 2 ? ('user' as const) : ('assistant' as const);
    const author = role === 'user' ? 'ada' : 'reminder';
    const text =
      role === 'user'
        ? `Question ${seq}: what should I do about it next week?`
        : `Reply ${seq}. **Two things** matter:\n\n- the first, with a [link](https://example.com)\n- the second, in \`code\``;
    return {
      sk: key.message(seq),
      put: { seq, version: 1, role, author, text, status: 'complete', createdAt, readBySeq: seq + 1 },
    };
  });
  for (let from = 0; from < rows.length; from += 50) await write(table, id, rows.slice(from, from + 50));
  await write(table, id, [{ sk: key.meta, set: { lastSeq: messages }, onlyIf: { lastSeq: 0 } }]);
  client.destroy();
  return id;
}
