import temml from 'temml';
import 'temml/dist/Temml-Local.css';

/**
 * Draws a formula as MathML, which needs no fonts. Loaded when an answer has a formula.
 *
 * The formula is a stranger's text: it can name no address, class or style (`trust`), its macros end (`maxExpand`), and its sizes are bounded
 * (in em and in points).
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
    return true;
  } catch {
    place.replaceChildren();
    return false;
  }
}
