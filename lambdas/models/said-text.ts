import { wellFormed } from '../../core/base/text/clip';
import { ModelUnreadable } from '../../core/base/text/errors';

/** The marks between which models think aloud. Their servers should separate that from the reply, and often do not. */
const opening = /^\s*(?:<(think|thinking|thought|reasoning)>|\[(THINK)\])/i;
const longestMark = '</reasoning>'.length;
const mayOpen = (text: string): boolean =>
  /^\s*$/.test(text) ||
  ['<think>', '<thinking>', '<thought>', '<reasoning>', '[think]'].some((mark) =>
    mark.startsWith(text.trimStart().toLowerCase()),
  );
/** Some servers put the opening mark into the request, so that the reply has the closing one only. */
const thoughtBefore = /^(?:[^`]*?\n)?[ \t]*<\/think(?:ing)?>[ \t]*(?:\n\s*|$)/i;

/** Far more than any model says at once. */
const mostCharacters = 8_000_000;

/**
 * Collects the text of a reply, and hands it on in pieces as it arrives: well-formed, and without the thoughts at its beginning. A character
 * that arrives in halves is handed on as a whole.
 */
export class SaidText {
  private text = '';
  private received = 0;
  /** Text that may be the beginning of a mark, of a character, or of the end of a thought. */
  private held = '';
  private closing?: string;
  private isBegun = false;
  private hasThought = false;

  constructor(private readonly onText: (piece: string) => void) {}

  /** @throws ModelUnreadable if the reply is too long to be one. */
  add(piece: string): void {
    this.received += piece.length;
    if (this.received > mostCharacters) throw new ModelUnreadable("The model's reply does not end.");
    this.held += piece;
    while (!this.isBegun && this.skipThought());
    if (this.isBegun) this.handOn(/[\uD800-\uDBFF]$/.test(this.held) ? this.held.length - 1 : this.held.length);
  }

  /** Returns the whole text. */
  end(): string {
    if (this.closing === undefined) this.handOn(this.held.length);
    return this.text.replace(thoughtBefore, '');
  }

  /** @returns whether another thought may follow. */
  private skipThought(): boolean {
    if (this.closing === undefined) {
      const [mark, tag, bracket] = opening.exec(this.held) ?? [];
      if (mark === undefined) {
        this.isBegun = !mayOpen(this.held);
        return false;
      }
      this.closing = tag ? `</${tag.toLowerCase()}>` : `[/${bracket!.toLowerCase()}]`;
      this.hasThought = true;
      this.held = this.held.slice(mark.length);
    }
    const end = this.held.toLowerCase().indexOf(this.closing);
    if (end < 0) {
      // Only read: what is left may be the beginning of the mark.
      this.held = this.held.slice(-longestMark);
      return false;
    }
    this.held = this.held.slice(end + this.closing.length);
    this.closing = undefined;
    return true;
  }

  private handOn(end: number): void {
    const piece = wellFormed(this.held.slice(0, end));
    this.held = this.held.slice(end);
    const said = this.hasThought && this.text === '' ? piece.trimStart() : piece;
    if (!said) return;
    this.text += said;
    this.onText(said);
  }
}
