import { attributeOf } from './archive';
import { ListLabels } from './list-labels';
import { type OpenStyles, outline } from './open-styles';

/** Says how each paragraph of a list begins, as OpenDocument has them: lists within items of lists. */
export class OpenLists {
  private readonly labels = new ListLabels();
  /** Open lists, with their styles. */
  private readonly open: { style: string | undefined }[] = [];
  /** Whether the next paragraph begins an item, and so has its number. */
  private isBeginning = false;
  private startValue: number | undefined;
  private count = 0;
  private list = '';
  private readonly lastOfStyle = new Map<string, string>();

  constructor(
    private readonly styles: OpenStyles,
    /** Bullets of slides stand for their layout. */
    private readonly hasBullets: () => boolean,
  ) {}

  openList(attributes: Record<string, string>): void {
    const style = attributeOf(attributes, 'style-name') ?? this.open.at(-1)?.style;
    if (this.open.length === 0) {
      const continued = attributeOf(attributes, 'continue-list');
      const last = this.lastOfStyle.get(style ?? '');
      const isContinued = attributeOf(attributes, 'continue-numbering') === 'true' && last !== undefined;
      const id = attributeOf(attributes, 'id');
      this.list = continued ? (this.lastOfStyle.get(`#${continued}`) ?? '') : isContinued ? last : '';
      this.list ||= `${++this.count}`;
      this.lastOfStyle.set(style ?? '', this.list);
      if (id) this.lastOfStyle.set(`#${id}`, this.list);
    }
    this.open.push({ style });
  }

  closeList(): void {
    this.open.pop();
    this.isBeginning = false;
  }

  openItem(attributes: Record<string, string>): void {
    this.isBeginning = true;
    const start = attributeOf(attributes, 'start-value');
    this.startValue = start === undefined ? undefined : Number(start);
  }

  /** Returns what stands before a paragraph, or a heading with its level. */
  begin(attributes: Record<string, string>, headingLevel?: number): string {
    const level = this.open.length - 1;
    if (level < 0) {
      const levels = this.styles.lists.get(outline);
      return headingLevel && levels ? this.labels.next(outline, headingLevel - 1, levels) : '';
    }
    if (!this.isBeginning) return '';
    this.isBeginning = false;
    const style =
      this.open.at(-1)?.style ?? this.styles.listsOfStyles.get(attributeOf(attributes, 'style-name') ?? '') ?? '';
    const levels = this.styles.lists.get(style);
    if (!levels || (levels[level]?.format === 'bullet' && !this.hasBullets())) return '';
    if (this.startValue !== undefined) this.labels.restart(this.list, level, this.startValue);
    return this.labels.next(this.list, level, levels);
  }
}
