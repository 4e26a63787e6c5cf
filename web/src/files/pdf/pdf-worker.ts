/**
 * Draws the pages of one PDF, in a thread of its own: whatever a document does to pdf.js, the page can end the thread. The
 * thread has the page's security policy, so no code of a document is compiled. It gets bytes and no addresses, and gives
 * pixels and text: no scripts, forms or links leave it.
 */
import { getDocument, type PDFDocumentProxy, type RenderTask } from 'unpdf/pdfjs';
import { type Size, sizeToDraw } from './page-size';

/** A page is drawn into a place of this size, in pixels of the page's layout. */
export interface PageToDraw {
  number: number;
  place: Size;
  zoom: number;
  pixelRatio: number;
}

export interface DrawnPage {
  bitmap: ImageBitmap;
  /** The size to show it at. */
  shown: Size;
  text: string;
  /** Whether something on it could not be drawn. */
  isIncomplete: boolean;
}

export type ToPdfWorker = { ask: number } & ({ open: Blob } | { draw: PageToDraw });
export type PdfProblem = 'damaged' | 'protected' | 'too large' | 'page';
export type FromPdfWorker = { ask: number } & ({ pages: number } | { page: DrawnPage } | { problem: PdfProblem });

const scope = self as unknown as {
  onmessage: (event: { data: ToPdfWorker }) => void;
  postMessage(message: FromPdfWorker, transferred?: Transferable[]): void;
  fonts?: FontFaceSet;
};

/** What is compressed is unpacked into arrays, twice as large each time. */
const mostBytesOfArray = 128 * 1_048_576;
/** Pictures of more pixels are left out. */
const mostPixelsOfPicture = 32_000_000;
/** What a screen reader is given of one page, and the rest of a line. */
const mostCharacters = 20_000;

/** Whether pdf.js has left something out since the page was begun. It tells only the console. */
let isIncomplete = false;
/** Whether it has asked for an array that it did not get. It wraps the error. */
let wasTooLarge = false;

/** Refuses large arrays. With the platform's own decompression, no array would be as large as what is unpacked. */
function boundArrays(): void {
  const construct = (target: Uint8ArrayConstructor, [first, ...rest]: [number, ...never[]], by: never) => {
    if (typeof first === 'number' && first > mostBytesOfArray) {
      isIncomplete = wasTooLarge = true;
      throw new RangeError('An array is too large.');
    }
    return Reflect.construct(target, [first, ...rest], by);
  };
  globalThis.Uint8Array = new Proxy(Uint8Array, { construct: construct as never });
  Reflect.deleteProperty(globalThis, 'DecompressionStream');
}

/** What pdf.js says when it leaves out a picture or the rest of a page. It also warns of what something else stands in for. */
const leftOut =
  /unable to decode|dependent image|exceeded|getOperatorList - ignoring|skipping command|ignored xobject|bad shading/i;

function heedWarnings(): void {
  console.warn = console.log = (...words: unknown[]) => {
    if (leftOut.test(words.join(' '))) isIncomplete = true;
  };
}

/** Canvases without a document. */
class Canvases {
  create(width: number, height: number) {
    const canvas = new OffscreenCanvas(Math.max(1, width), Math.max(1, height));
    return { canvas, context: canvas.getContext('2d') };
  }
  reset(made: { canvas: OffscreenCanvas }, width: number, height: number): void {
    made.canvas.width = Math.max(1, width);
    made.canvas.height = Math.max(1, height);
  }
  destroy(made: { canvas: OffscreenCanvas }): void {
    made.canvas.width = made.canvas.height = 0;
  }
}

/** Filters are elements of SVG, which a thread does not have. */
class NoFilters {
  addFilter = () => 'none';
  addHCMFilter = () => 'none';
  addAlphaFilter = () => 'none';
  addLuminosityFilter = () => 'none';
  addHighlightHCMFilter = () => 'none';
  destroy(): void {}
}

let opened: PDFDocumentProxy | undefined;
let drawing: RenderTask | undefined;

async function open(file: Blob): Promise<number> {
  const options = {
    data: new Uint8Array(await file.arrayBuffer()),
    // No code of a font or a form is run, and nothing is fetched.
    isEvalSupported: false,
    enableXfa: false,
    useWasm: false,
    useWorkerFetch: false,
    // Fonts that a document names but does not have are those of the system.
    useSystemFonts: true,
    disableFontFace: scope.fonts === undefined,
    ownerDocument: { fonts: scope.fonts } as unknown as HTMLDocument,
    isImageDecoderSupported: false,
    maxImageSize: mostPixelsOfPicture,
    verbosity: 1,
    CanvasFactory: Canvases,
    FilterFactory: NoFilters,
  };
  opened = await getDocument(options).promise;
  return opened.numPages;
}

async function draw({ number, place, zoom, pixelRatio }: PageToDraw): Promise<DrawnPage> {
  drawing?.cancel();
  isIncomplete = wasTooLarge = false;
  const page = await opened!.getPage(number);
  try {
    const { width, height } = page.getViewport({ scale: 1 });
    const { shown, pixels, scale } = sizeToDraw({ page: { width, height }, place, zoom, pixelRatio });
    const canvas = new OffscreenCanvas(pixels.width, pixels.height);
    drawing = page.render({
      canvas: null,
      canvasContext: canvas.getContext('2d', { alpha: false }) as unknown as CanvasRenderingContext2D,
      viewport: page.getViewport({ scale }),
    });
    await drawing.promise;
    return { bitmap: canvas.transferToImageBitmap(), shown, text: await textOf(page), isIncomplete };
  } finally {
    page.cleanup();
  }
}

async function textOf(page: Awaited<ReturnType<PDFDocumentProxy['getPage']>>): Promise<string> {
  const { items } = await page.getTextContent();
  let text = '';
  for (const item of items) {
    if ('str' in item) text += item.str + (item.hasEOL ? '\n' : '');
    if (text.length > mostCharacters) return `${text.trim()} …`;
  }
  return text.trim();
}

function problemOf(error: unknown, otherwise: PdfProblem): PdfProblem {
  if (wasTooLarge) return 'too large';
  return (error as Error | undefined)?.name === 'PasswordException' ? 'protected' : otherwise;
}

boundArrays();
heedWarnings();
scope.onmessage = ({ data }) => {
  const { ask } = data;
  const refuse = (otherwise: PdfProblem) => (error: unknown) =>
    scope.postMessage({ ask, problem: problemOf(error, otherwise) });
  if ('open' in data) open(data.open).then((pages) => scope.postMessage({ ask, pages }), refuse('damaged'));
  else draw(data.draw).then((page) => scope.postMessage({ ask, page }, [page.bitmap]), refuse('page'));
};
