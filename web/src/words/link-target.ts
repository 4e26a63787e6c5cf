import { urlIn } from '../../../core/base/text/web-address';
import { t } from '../languages/catalogue';

/** The target of a link in a model's text, and how the link's text deceives. */
export interface LinkTarget {
  /** The site, as the browser resolves it, or the mail address. */
  place: string;
  /** Whether the text says so already. */
  isSaid: boolean;
  deceit?: string;
}

/**
 * Compares a link's text with its address. The text deceives if it names another site, in whatever letters, signs or
 * invisible characters. Letters outside a to z are marked in any address, because many of them look like others.
 */
export function targetOf(href: string, text: string): LinkTarget {
  const url = urlIn(href);
  if (!url) return { place: href, isSaid: false };
  const isMail = url.protocol === 'mailto:';
  const place = isMail ? receiversOf(url) : url.host;
  const site = withoutWww(isMail ? place.slice(place.lastIndexOf('@') + 1).toLowerCase() : url.hostname);
  const named = sitesIn(text, isMail);
  const isSaid = named.some((one) => one === site) && (!isMail || text.includes(place));
  return { place, isSaid, deceit: deceitOf(url, site, named, turned.test(text)) };
}

/** A mail may go to more addresses than the one that is seen. */
const receiversOf = ({ pathname, searchParams }: URL): string =>
  [pathname, ...['to', 'cc', 'bcc'].flatMap((field) => searchParams.getAll(field))].filter(Boolean).join(', ');

function deceitOf(
  { username, password, protocol }: URL,
  site: string,
  named: string[],
  isTurned: boolean,
): string | undefined {
  // A shorter name of the same site is no deceit: docs.example.org is named by example.org.
  if (named.some((one) => one !== site && !site.endsWith(`.${one}`))) return t('not where its text says');
  if (isTurned) return t('its text is written backwards');
  if (protocol !== 'mailto:' && (username || password)) return t('what stands before the @ is no site');
  if (/(^|\.)xn--/.test(site)) return t('its name has letters that may look like others');
  return undefined;
}

/** Signs that turn the order of letters around. */
const turned = /[\u202d\u202e]/;

/**
 * A name with dots or an IPv4 address, perhaps after a user; or whatever stands after a scheme. The bounds keep the search linear.
 */
const site =
  /(?<![\p{L}\p{M}\p{N}.@_-])([a-z]{1,20}:\/\/)?([^\s/@]{0,64}@)?((?:[\p{L}\p{M}\p{N}_-]+\.)+(?:xn--[\w-]+|\p{L}[\p{L}\p{M}]+)|\d{1,3}(?:\.\d{1,3}){3}|(?<=:\/\/|:\/\/[^\s/@]{0,64}@)(?:\[[^\]]{1,60}\]|[^\s/@?#:()<>"'…]{1,255}))([/:]?)/giu;
/** Names of files and products, unless a scheme or a path says otherwise. */
const fileName =
  /\.(?:c|cpp|css|csv|docx?|go|html?|java|js|json|jsx|md|mjs|pdf|php|png|py|rb|rs|sh|sql|svg|toml|tsx?|txt|xlsx?|xml|ya?ml|zip)$/i;

/**
 * Returns the sites that a text names, as the browser would resolve them. A path after a site names none: example.org/a.b/c. One that begins
 * with nothing that looks like a site may: /bank.example/login.
 */
function sitesIn(text: string, isMail: boolean): string[] {
  return plainOf(text)
    .split(/\s+/)
    .flatMap((word) => {
      const found: string[] = [];
      for (const [, scheme = '', user = '', host = '', after] of word.matchAll(site)) {
        const isFile = !scheme && !user && !after && !/^www\./i.test(host) && fileName.test(host);
        const url = isFile ? undefined : urlIn(`http://${host}`);
        if (!url) continue;
        found.push(withoutWww(url.hostname));
        // In https://bank.example@other.example/, the reader sees the wrong one first.
        const before = user.slice(0, -1);
        if (user && (scheme || (!isMail && before.includes('.')))) found.push(before);
        if (after === '/') break;
      }
      return found;
    });
}

const withoutWww = (host: string): string => host.replace(/^www\.|\.$/g, '');

/** Lookalikes of a dot, a slash and a colon, of Unicode's list of confusables, and what people write for a dot. */
const dots =
  /[\u2024\u2027\u2022\u2219\u22c5\u00b7\u0387\u30fb\u3002\u0701\u0702\u0660\u06f0\u06d4\u1362\u1427\u166e\u16eb\u1803\u2cfe\u2e31\u2e33\u2e3c\ua4f8\ua60e\ua6f3\ua78f\u201a\u02d9\u{10101}\u{10a50}\u{1d16d}]|[[({]\.[\])}]|%2e/giu;
const slashes = /[\u2044\u2215\u29f8\u2571\u27cb\u1735\u2041\u2cc6\u30ce\u31d3\u3033\u4e3f\u{1d23a}\\]|%2f/giu;
const colons = /[\u02d0\u02f8\u0589\u05c3\u0703\u0704\u16ec\u1803\u1809\u205a\u2236\ua4fd\ua789\ufe30]|%3a/giu;
/** Spaces so thin that one reads over them, and what takes no space. */
const unseen = /[\u2006\u2008-\u200a\u202f\u205f]|\p{Default_Ignorable_Code_Point}/gu;
/** Letters in circles, squares and flags. */
const framed = /[\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}\u{1f1e6}-\u{1f1ff}]/gu;

/** Returns a text as it reads. */
const plainOf = (text: string): string =>
  text
    .replace(unseen, '')
    .normalize('NFKC')
    .replace(unseen, '')
    .replace(framed, (letter) => {
      const code = letter.codePointAt(0)!;
      const first = code >= 0x1f1e6 ? 0x1f1e6 : code >= 0x1f170 ? 0x1f170 : 0x1f150;
      return String.fromCharCode(97 + code - first);
    })
    .replace(dots, '.')
    .replace(slashes, '/')
    .replace(colons, ':');
