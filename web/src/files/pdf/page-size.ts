export interface Size {
  width: number;
  height: number;
}

/** A canvas that every browser makes, on a phone too. */
const mostPixels = 16_000_000;
const longestSide = 8_192;
/** A page is shown at most so long: lines and edges of elements stay exact. */
const longestShown = 20_000;

interface SizeToDraw {
  /** In points. */
  page: Size;
  place: Size;
  /** 1 shows the page as wide as its place, but not larger than one and a half times its size on paper. */
  zoom: number;
  pixelRatio: number;
}

/** Returns at which size to show a page, and of how many pixels to draw it. Both are bounded, whatever the document says. */
export function sizeToDraw({ page, place, zoom, pixelRatio }: SizeToDraw): {
  shown: Size;
  pixels: Size;
  scale: number;
} {
  const width = sane(page.width);
  const height = sane(page.height);
  // 96 pixels are an inch, and so are 72 points.
  const fit = Math.min(Math.max(place.width, 1) / width, 2);
  const shownScale = Math.min(fit * zoom, longestShown / Math.max(width, height));
  const wanted = shownScale * pixelRatio;
  const scale = Math.min(wanted, Math.sqrt(mostPixels / (width * height)), longestSide / Math.max(width, height));
  return { shown: rounded(width, height, shownScale), pixels: rounded(width, height, scale), scale };
}

const sane = (points: number): number => (Number.isFinite(points) && points > 0 ? points : 1);

const rounded = (width: number, height: number, scale: number): Size => ({
  width: Math.max(1, Math.floor(width * scale)),
  height: Math.max(1, Math.floor(height * scale)),
});
