// Applies the theme and the density that the reader has chosen in this browser. It is a script of its own, which the browser runs before it
// paints anything: the page's policy allows no inline script, and modules run later. See src/settings/choices.ts.
(() => {
  const root = document.documentElement;
  const schemes = { light: 'light', dark: 'dark' };
  const densities = { compact: 'compact' };
  const tintOf = document.querySelector('meta[name=theme-color]');
  const schemeOf = document.querySelector('meta[name=color-scheme]');

  /** What the browser paints around the page has the page's own colour, that of a deployment included. */
  const tint = () => {
    if (document.body) tintOf.content = getComputedStyle(document.body).backgroundColor;
  };
  const chosen = (all, place) => {
    const kept = localStorage.getItem(place);
    return kept !== null && Object.hasOwn(all, kept) ? all[kept] : undefined;
  };
  const set = (name, value) => {
    if (value) root.dataset[name] = value;
    else delete root.dataset[name];
  };
  const apply = () => {
    const scheme = chosen(schemes, 'vigil.theme');
    set('theme', scheme);
    set('density', chosen(densities, 'vigil.density'));
    schemeOf.content = scheme ?? 'light dark';
    tint();
  };
  apply();
  // Another window has chosen; this one has.
  addEventListener('storage', apply);
  addEventListener('vigil.chosen', apply);
  // The styles are there by then.
  addEventListener('DOMContentLoaded', tint);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', tint);
})();
