/** Every write stores the whole text. A long text must grow by 1/32 before the next write, or the cost would be quadratic. */
const growth = 32;

/** After this pause, a text that ends like a sentence counts as finished. */
export const pauseMs = 60;
/** The end of a sentence in any script, with closing quotes and brackets, or of a line. */
const sentenceEnd = /(?:\p{Sentence_Terminal}[\p{Pe}\p{Pf}"'*_]*\s*|\n\s*)$/u;

/**
 * Writes a growing text sentence by sentence: `show` receives the text up to the last finished sentence. One `show` runs at a time,
 * and the next one includes what arrives meanwhile, so a slow store never delays the model.
 */
export class SentenceFeed {
  private text = '';
  private shown = 0;
  private showing: Promise<void> = Promise.resolve();
  private busy = false;
  private closed = false;
  private paused = false;
  private pause: NodeJS.Timeout | undefined;

  constructor(private readonly show: (text: string) => Promise<void>) {}

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
    const more = this.finished() - this.shown;
    if (more <= 0 || more < this.shown / growth) return;
    this.busy = true;
    this.shown = this.finished();
    this.showing = this.show(this.text.slice(0, this.shown)).then(() => {
      this.busy = false;
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

let segmenter: Intl.Segmenter | undefined;

/** Created once, because creation loads language rules. */
function sentences(): Intl.Segmenter {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'sentence' });
  return segmenter;
}
