import { wellFormed } from './clip';

/**
 * A write costs one unit for each KB that it begins. The first pieces are single sentences; later ones have at least half a KB. So a text
 * costs at most two units for each KB, and these.
 */
const singleSentences = 32;
const laterCharacters = 512;
/** A piece fits into a frame of the live view, however its characters are escaped. */
export const mostCharacters = 4_000;

/** After this pause, a text that ends like a sentence counts as finished. */
export const pauseMs = 60;
/** The end of a sentence in any script, with closing quotes and brackets, or of a line. */
const sentenceEnd = /(?:\p{Sentence_Terminal}[\p{Pe}\p{Pf}"'*_]*\s*|\n\s*)$/u;

/**
 * Writes a growing text in pieces: `show` receives what is finished since the last piece, and where that begins. One `show` runs at a
 * time, and the next one includes what arrives meanwhile, so a slow store never delays the model. Once it returns false, no other follows.
 */
export class SentenceFeed {
  private text = '';
  private shown = 0;
  private pieces = 0;
  private showing: Promise<void> = Promise.resolve();
  private busy = false;
  private closed = false;
  private paused = false;
  private pause: NodeJS.Timeout | undefined;

  constructor(private readonly show: (piece: string, from: number) => Promise<boolean>) {}

  add(piece: string): void {
    this.text += piece;
    this.paused = false;
    clearTimeout(this.pause);
    this.pause = setTimeout(() => {
      this.paused = true;
      this.showMore();
    }, pauseMs);
    this.showMore();
  }

  /** Waits for a `show` in progress. No other follows. */
  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.pause);
    await this.showing;
  }

  private showMore(): void {
    if (this.busy || this.closed) return;
    const from = this.shown;
    const least = this.pieces < singleSentences ? 1 : laterCharacters;
    if (this.text.length - from < least) return;
    // The second half of a last character may come with the next piece of the model.
    const end = wholeCharacters(this.text, Math.min(this.finished(), from + mostCharacters));
    if (end - from < least) return;
    this.busy = true;
    this.shown = end;
    this.pieces += 1;
    this.showing = this.show(wellFormed(this.text.slice(from, end)), from).then((isShown) => {
      this.busy = false;
      if (!isShown) this.closed = true;
      // The model may pause now, so show what arrived meanwhile.
      this.showMore();
    });
  }

  /** Returns the end of the last finished sentence. The very last sentence may still grow until the model pauses. */
  private finished(): number {
    const tail = this.text.slice(this.shown);
    if (this.paused && sentenceEnd.test(tail)) return this.text.length;
    let last = 0;
    for (const { index } of sentences().segment(tail)) last = index;
    return this.shown + last;
  }
}

/** Returns the place, or the one before it if it is within a surrogate pair. */
export const wholeCharacters = (text: string, place: number): number =>
  /[\uD800-\uDBFF]/.test(text.charAt(place - 1)) ? place - 1 : place;

let segmenter: Intl.Segmenter | undefined;

/** Created once, because creation loads language rules. */
function sentences(): Intl.Segmenter {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'sentence' });
  return segmenter;
}
