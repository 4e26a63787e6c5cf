import type { FilePart } from '../api-types';
import { unseen } from '../decisions/quoted';

/** A name of bytes, because file systems count them. Letters beside the Latin ones have up to four. */
const mostBytes = 120;

const refused = new RegExp(`[<>:"/\\\\|?*]|${unseen}`, 'gu');

/** Windows opens a device for them, whatever the ending. */
const reserved = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$) *(?:\.|$)/i;

/** Windows drops it. */
const dropped = /[\s.]+$/;

/** Returns a name that every system takes: no folder, no hidden sign, no device. Its ending stays. */
export function safeName({ filename, mediaType }: Pick<FilePart, 'filename' | 'mediaType'>): string {
  const plain = (filename ?? '')
    .normalize('NFC')
    .replace(refused, '_')
    // A dot at the beginning hides a file.
    .replace(/^[\s.]+/, '')
    .replace(dropped, '');
  const name = plain || `file${endingOf(mediaType)}`;
  return cut(reserved.test(name) ? `_${name}` : name);
}

/** Returns a function that gives each file a name of its own, also where large and small letters are the same. */
export function uniqueNames(): (file: Pick<FilePart, 'filename' | 'mediaType'>) => string {
  const taken = new Set<string>();
  return (file) => {
    const name = safeName(file);
    const [stem, ending] = parted(name);
    for (let nth = 1; ; nth++) {
      const candidate = nth === 1 ? name : `${stem} (${nth})${ending}`;
      const key = candidate.normalize('NFKC').toLowerCase();
      if (taken.has(key)) continue;
      taken.add(key);
      return candidate;
    }
  };
}

/** For a file without a name: ".png" of "image/png". */
function endingOf(mediaType: string): string {
  const kind = mediaType.split('/')[1] ?? '';
  if (kind === 'plain') return '.txt';
  return /^[a-z\d]{2,5}$/.test(kind) ? `.${kind}` : '';
}

function parted(name: string): [stem: string, ending: string] {
  const at = name.lastIndexOf('.');
  return at > 0 && name.length - at <= 12 ? [name.slice(0, at), name.slice(at)] : [name, ''];
}

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

/** Cuts a long name before its ending, and no letter in two. */
function cut(name: string): string {
  if (bytesOf(name) <= mostBytes) return name;
  const [stem, ending] = parted(name);
  let short = '';
  for (const letter of stem) {
    if (bytesOf(short + letter + ending) > mostBytes) break;
    short += letter;
  }
  return (short.trimEnd() + ending).replace(dropped, '');
}
