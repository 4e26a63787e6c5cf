import regular from '@expo-google-fonts/roboto/400Regular/Roboto_400Regular.ttf';
import bold from '@expo-google-fonts/roboto/700Bold/Roboto_700Bold.ttf';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import rasteriser from '@resvg/resvg-wasm/index_bg.wasm';
import { TellModel } from '../core/base/text/errors';
import { serveJob } from './child-job';

/**
 * The code of the child process that turns SVG into PNG pictures: a file of its own beside RunCode's, because it is 4 MB and few calls draw. The
 * rasteriser is WebAssembly that can reach nothing: it runs no script, opens no address and no file, and has the two fonts that it is given.
 */

/** A drawing by its name, in SVG. */
export interface Drawing {
  name: string;
  svg: string;
}

/** Of one side, in pixels. */
const mostPixels = 2_000;
const family = 'Roboto';
const font = {
  fontBuffers: [regular, bold],
  defaultFontFamily: family,
  sansSerifFamily: family,
  serifFamily: family,
  monospaceFamily: family,
};

/** Returns the pictures, as PNG. @throws TellModel for the first drawing that is no SVG or too large. */
async function drawn(drawings: Drawing[]): Promise<Uint8Array[]> {
  await initWasm(rasteriser);
  return drawings.map(({ name, svg }) => {
    const picture = parsed(name, svg);
    const { width, height } = picture;
    if (!(width >= 1 && height >= 1 && width <= mostPixels && height <= mostPixels))
      throw new TellModel(
        `${name}: the drawing has ${width} × ${height} pixels, and at most ${mostPixels} × ${mostPixels} are drawn. ` +
          'Set width and height of its svg element.',
      );
    return rendered(name, picture);
  });
}

function rendered(name: string, picture: InstanceType<typeof Resvg>): Uint8Array {
  try {
    return picture.render().asPng();
  } catch {
    // It gives up without words, for example at a filter of impossible numbers.
    throw new TellModel(`${name}: the drawing cannot be drawn. Draw it with fewer effects and smaller numbers.`);
  }
}

function parsed(name: string, svg: string) {
  try {
    return new Resvg(svg, { font, background: 'white' });
  } catch (error) {
    // The rasteriser is Rust: what it throws is no Error of this realm's.
    throw new TellModel(`${name}: the drawing is no SVG: ${String((error as Error)?.message ?? error)}`);
  }
}

serveJob('draw_picture', drawn);
