import { extractImages, type getDocumentProxy } from 'unpdf';
import { pngOf } from '../../../runtime/png';

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;
type Image = Awaited<ReturnType<typeof extractImages>>[number];

/** A page without text, as a PNG in grey. */
export interface PagePicture {
  page: number;
  bytes: Uint8Array;
}

/** A model gets so many of a document. */
export const mostPictures = 5;
/** Of one side, in pixels. Providers make larger ones smaller. */
const longestSide = 1_600;
/** A smaller picture is a logo or a line. */
const leastSide = 200;
/** A scan is one picture. Of a page that is put together of many, each would be a part without sense. */
const leastPart = 0.6;

/** Returns the scan that is a page; undefined if the page is something else. No page is drawn: that takes a renderer of 5 MB. */
export async function pictureOfPage(document: Pdf, page: number): Promise<PagePicture | undefined> {
  const images = await extractImages(document, page);
  const areaOf = ({ width, height }: Image) => width * height;
  const all = images.reduce((sum, image) => sum + areaOf(image), 0);
  const scan = images.find((image) => areaOf(image) >= leastPart * all);
  if (!scan || Math.min(scan.width, scan.height) < leastSide) return undefined;
  return { page, bytes: greyPng(scan) };
}

/** Makes a picture smaller by a whole number, and grey: a scan is read as well so, and has a third of the bytes. */
function greyPng({ data, width, height, channels }: Image): Uint8Array {
  const step = Math.ceil(Math.max(width, height) / longestSide);
  const [columns, rows] = [Math.floor(width / step), Math.floor(height / step)];
  const colours = Math.min(channels, 3);
  const lines = Buffer.alloc((columns + 1) * rows);
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      let sum = 0;
      for (let y = row * step; y < (row + 1) * step; y++)
        for (let x = column * step; x < (column + 1) * step; x++)
          for (let colour = 0; colour < colours; colour++) sum += data[(y * width + x) * channels + colour]!;
      lines[row * (columns + 1) + 1 + column] = Math.round(sum / (step * step * colours));
    }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(columns, 0);
  header.writeUInt32BE(rows, 4);
  header[8] = 8;
  return pngOf(header, lines);
}
