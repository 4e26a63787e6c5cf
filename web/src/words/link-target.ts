/** Where a link of a model's text leads, and how its text deceives. */
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
  if (!URL.canParse(href)) return { place: href, isSaid: false };
  const url = new URL(href);
  const isMail = url.protocol === 'mailto:';
  const place = isMail ? url.pathname : url.host;
  const site = withoutWww(isMail ? place.slice(place.lastIndexOf('@') + 1).toLowerCase() : url.hostname);
  const named = sitesIn(text);
  const isSaid = named.some((one) => one === site) && (!isMail || text.includes(place));
  return { place, isSaid, deceit: deceitOf(url, site, named) };
}

function deceitOf({ username, password, protocol }: URL, site: string, named: string[]): string | undefined {
  // A shorter name of the same site is no deceit: docs.example.org is named by example.org.
  if (named.some((one) => one !== site && !site.endsWith(`.${one}`))) return 'not where its text says';
  if (protocol !== 'mailto:' && (username || password)) return 'what stands before the @ is no site';
  if (/(^|\.)xn--/.test(site)) return 'its name has letters that may look like others';
  return undefined;
}

/**
 * A name with dots or an IPv4 address, perhaps after a scheme and a user, not within a path. The bounds keep the search
 * linear.
 */
const site =
  /(?<![\p{L}\p{M}\p{N}.@/_-])([a-z]{1,20}:\/\/)?([^\s/@]{0,64}@)?((?:[\p{L}\p{M}\p{N}_-]+\.)+(?:xn--[\w-]+|\p{L}[\p{L}\p{M}]+)|\d{1,3}(?:\.\d{1,3}){3})([/:]?)/giu;
/** Names of files and products, unless a scheme or a path says otherwise. */
const fileName =
  /\.(?:c|cpp|css|csv|docx?|go|html?|java|js|json|jsx|md|mjs|pdf|php|png|py|rb|rs|sh|sql|svg|toml|tsx?|txt|xlsx?|xml|ya?ml|zip)$/i;

/** Returns the sites that a text names, as the browser would resolve them. */
function sitesIn(text: string): string[] {
  // Wide dots become dots, and what nobody sees is left out.
  const plain = text
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replaceAll('。', '.');
  return [...plain.matchAll(site)].flatMap(([, scheme = '', user = '', host = '', after]) => {
    const isFile = !scheme && !user && !after && !/^www\./i.test(host) && fileName.test(host);
    if (isFile || !URL.canParse(`http://${host}`)) return [];
    const names = [withoutWww(new URL(`http://${host}`).hostname)];
    // In https://bank.example@other.example/, the reader sees the wrong one first.
    return scheme && user ? [...names, user.slice(0, -1)] : names;
  });
}

const withoutWww = (host: string): string => host.replace(/^www\.|\.$/g, '');
