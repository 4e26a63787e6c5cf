import { t } from '../../languages/catalogue';
import type { DrawnPage, FromPdfWorker, PageToDraw, PdfProblem, ToPdfWorker } from './pdf-worker';

/** A PDF whose pages are drawn one at a time. */
export interface PdfFile {
  /** @throws Error with words for the user. */
  pages(): Promise<number>;
  /** @throws Error with words for the user. */
  draw(page: PageToDraw): Promise<DrawnPage>;
  close(): void;
}

/** A document that needs more for a page is not one that somebody reads. */
const deadlineMs = 20_000;

function problemWords(problem: PdfProblem): string {
  switch (problem) {
    case 'damaged':
      return t('This PDF is damaged, so its pages cannot be shown.');
    case 'protected':
      return t('This PDF is protected by a password, so its pages cannot be shown here.');
    case 'too large':
      return t('This PDF unpacks to more than a browser can show.');
    case 'page':
      return t('This page is damaged, so it cannot be shown.');
  }
}

/** @param file its bytes, from which another thread begins again when one was ended. */
export function openPdf(file: Blob): PdfFile {
  let thread: { worker: Worker; opened: Promise<number> } | undefined;
  let asked = 0;

  function end(): void {
    thread?.worker.terminate();
    thread = undefined;
  }

  const ask = (worker: Worker, question: { open: Blob } | { draw: PageToDraw }) =>
    new Promise<Exclude<FromPdfWorker, { problem: PdfProblem }>>((resolve, reject) => {
      asked += 1;
      const number = asked;
      const control = new AbortController();
      const { signal } = control;
      const fail = (problem: string) => {
        control.abort();
        reject(new Error(problem));
      };
      const die = (problem: string) => {
        if (thread?.worker === worker) end();
        fail(problem);
      };
      const late = setTimeout(() => die(t('This PDF takes too long to draw.')), deadlineMs);
      signal.addEventListener('abort', () => clearTimeout(late));
      worker.addEventListener('error', () => die(t('The page could not load or run what draws PDFs.')), { signal });
      worker.addEventListener(
        'message',
        ({ data }: MessageEvent<FromPdfWorker>) => {
          if (data.ask !== number) return;
          if ('problem' in data) return fail(problemWords(data.problem));
          control.abort();
          resolve(data);
        },
        { signal },
      );
      worker.postMessage({ ask: number, ...question } satisfies ToPdfWorker);
    });

  function begun() {
    if (thread) return thread;
    const worker = new Worker(new URL('./pdf-worker.ts', import.meta.url), { type: 'module' });
    const opened = ask(worker, { open: file }).then((answer) => ('pages' in answer ? answer.pages : 0));
    thread = { worker, opened };
    return thread;
  }

  return {
    pages: () => begun().opened,
    async draw(page) {
      const { worker, opened } = begun();
      await opened;
      const answer = await ask(worker, { draw: page });
      if (!('page' in answer)) throw new Error(problemWords('page'));
      return answer.page;
    },
    close: end,
  };
}
