import temml from 'temml';
import 'temml/dist/Temml-Local.css';

const colourAttributes = ['mathcolor', 'mathbackground'];
const colours = ['color', 'background', 'background-color', 'opacity', 'visibility'];

const sliceMs = 10;
let begun = 0;
let last = Promise.resolve();

/** Does one work after the other, and lets the page answer in between: an answer may have thousands of formulas. */
export function inTurn(work: () => void): Promise<void> {
  last = last.then(async () => {
    if (performance.now() - begun > sliceMs) {
      await new Promise((resolve) => setTimeout(resolve));
      begun = performance.now();
    }
    work();
  });
  return last;
}

/**
 * Draws a formula as MathML, which needs no fonts. Loaded when an answer has a formula.
 *
 * The formula is a stranger's text: it can name no address, class or style (`trust`), its macros end (`maxExpand`), and its sizes are bounded
 * (in em and in points). It has the colours of the text, so that it cannot look like a part of the page.
 *
 * @returns whether it could be read. If not, the place is empty.
 */
export function drawFormula(place: HTMLElement, source: string, isBlock: boolean): boolean {
  try {
    temml.render(source, place, {
      displayMode: isBlock,
      throwOnError: true,
      trust: false,
      maxExpand: 200,
      maxSize: [20, 200],
    });
    for (const element of place.querySelectorAll<HTMLElement>('*')) {
      for (const name of colourAttributes) element.removeAttribute(name);
      for (const name of colours) element.style.removeProperty(name);
    }
    return true;
  } catch {
    place.replaceChildren();
    return false;
  }
}
