/** Each time all of the text is stored again: of a long one, a thirty-second part more has to be there, or it would cost by its square. */
const growth = 32;

/**
 * Shows a growing text sentence by sentence: `show` gets all the text up to the last finished sentence. One `show` runs
 * at a time; what comes in meanwhile is shown with the next one, so a slow store never holds up the model.
 */
export class SentenceFeed {
  private text = '';
  private shown = 0;
  private showing: Promise<void> = Promise.resolve();
  private busy = false;
  private closed = false;

  constructor(private readonly show: (text: string) => Promise<void>) {}

  add(piece: string): void {
    this.text += piece;
    this.showMore();
  }

  /** Waits for a `show` that is under way; nothing is shown after it. */
  async close(): Promise<void> {
    this.closed = true;
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
      // The model may be thinking now: what it said meanwhile is not kept until it goes on.
      this.showMore();
    });
  }

  /** Where the last sentence ends that is surely finished: the very last one may still grow. */
  private finished(): number {
    const tail = this.text.slice(this.shown);
    let last = 0;
    for (const { index } of sentences().segment(tail)) last = index;
    return this.shown + last;
  }
}

let segmenter: Intl.Segmenter | undefined;

/** One for all texts: it loads the rules of a language when it is made. */
function sentences(): Intl.Segmenter {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'sentence' });
  return segmenter;
}
