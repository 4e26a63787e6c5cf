import { ConfigurationError } from '../../core/base/text/errors';

/** The colours of the page, by the names of its variables without the hyphens. */
const colours = [
  'page',
  'side',
  'raised',
  'line',
  'ink',
  'muted',
  'faint',
  'accent',
  'fill',
  'fill-strong',
  'mine',
  'selection',
  'wait',
  'wait-ground',
  'wait-line',
  'good',
  'bad',
  'bad-ground',
  'sleep',
  'code-word',
  'code-text',
  'code-value',
  'code-name',
] as const;
type Colour = (typeof colours)[number];

/** How the page looks, where it differs from Vigil's own look. docs/page.md has all variables. */
export interface Theme {
  /** A colour for light and one for dark, such as `['#0b6e4f', '#7fd1ae']`, or one for both. */
  readonly colors?: Readonly<Partial<Record<Colour, string | readonly [light: string, dark: string]>>>;
  /** The corner of a button, in rem: 0 to 1. Default: 0.5. */
  readonly radius?: number;
  /** Distances and sizes of controls: 0.8 to 1.25 times Vigil's own. Readers may choose less for themselves. */
  readonly density?: number;
  /** The families of the text, such as `'Georgia, serif'`. The reader's system, or the folder of the page, has them. */
  readonly font?: string;
  /** The families of code. */
  readonly fontOfCode?: string;
}

const isColour = (value: unknown): value is string =>
  typeof value === 'string' && /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(value);
/** A name in quotes, or one that begins with a letter. Words of CSS such as `initial` are none. */
const family =
  /^(?:"[\p{L}\p{N} _-]+"|(?!(?:initial|inherit|unset|revert|revert-layer|default)$)\p{L}[\p{L}\p{N}_-]*)$/iu;

/**
 * Returns the stylesheet of a theme, which the page reads as `/theme.css`.
 *
 * @throws ConfigurationError that names the field.
 * @example themeCss({ colors: { accent: ['#0b6e4f', '#7fd1ae'] }, radius: 0 }) // → ':root {\n  --accent: light-dark(#0b6e4f, #7fd1ae);\n  --radius: 0rem;\n}\n'
 */
export function themeCss({ colors, radius, density, font, fontOfCode }: Theme): string {
  const lines = [
    ...Object.entries(colors ?? {}).map(([name, colour]) => `--${colourName(name)}: ${colourCss(name, colour)};`),
    ...(radius === undefined ? [] : [`--radius: ${within('radius', radius, 0, 1)}rem;`]),
    ...(density === undefined ? [] : [`--density: ${within('density', density, 0.8, 1.25)};`]),
    ...(font === undefined ? [] : [`--font: ${familiesIn('font', font)};`]),
    ...(fontOfCode === undefined ? [] : [`--font-code: ${familiesIn('fontOfCode', fontOfCode)};`]),
  ];
  return `:root {\n${lines.map((line) => `  ${line}\n`).join('')}}\n`;
}

function colourName(name: string): string {
  if (colours.includes(name as Colour)) return name;
  throw new ConfigurationError(`theme.colors.${name}: there is no such colour: it is one of ${colours.join(', ')}.`);
}

function colourCss(name: string, colour: unknown): string {
  if (isColour(colour)) return colour;
  if (Array.isArray(colour) && colour.length === 2 && colour.every(isColour)) return `light-dark(${colour.join(', ')})`;
  throw new ConfigurationError(
    `theme.colors.${name}: it must be a colour such as "#0b6e4f", or two of them, for light and for dark.`,
  );
}

function within(name: string, value: unknown, least: number, most: number): number {
  if (typeof value === 'number' && value >= least && value <= most) return value;
  throw new ConfigurationError(
    `theme.${name} is ${JSON.stringify(value)}: it must be a number from ${least} to ${most}.`,
  );
}

function familiesIn(name: string, value: unknown): string {
  if (typeof value === 'string' && value.split(/, ?/).every((one) => family.test(one))) return value;
  throw new ConfigurationError(
    `theme.${name} is ${JSON.stringify(value)}: it must be names of fonts, such as 'Georgia, "Times New Roman", serif'.`,
  );
}
