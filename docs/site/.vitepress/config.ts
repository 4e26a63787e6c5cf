import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DefaultTheme, defineConfig } from 'vitepress';

const site = join(import.meta.dirname, '..');
const sidebar: DefaultTheme.SidebarItem[] = JSON.parse(readFileSync(join(site, 'pages/sidebar.json'), 'utf8'));
const icon = readFileSync(join(site, 'pages/public/icon.svg'), 'utf8');

/** Returns the anchor that GitHub gives to a heading: the pages link to those. */
const slugify = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-');

export default defineConfig({
  title: 'Vigil',
  description: 'LLM agents that wait',
  lang: 'en',
  srcDir: 'pages',
  outDir: 'dist',
  // Some pages tell readers to open their own machine.
  ignoreDeadLinks: 'localhostLinks',
  // Its address would not follow `--base`.
  head: [['link', { rel: 'icon', href: `data:image/svg+xml,${encodeURIComponent(icon)}` }]],
  markdown: {
    anchor: { slugify },
    config(markdown) {
      // A page is compiled as a template of Vue, in which these braces hold code.
      for (const kind of ['text', 'code_inline']) {
        const rule = markdown.renderer.rules[kind]!;
        markdown.renderer.rules[kind] = (...token) => rule(...token).replaceAll('{{', '&#123;&#123;');
      }
      const fence = markdown.renderer.rules.fence!;
      markdown.renderer.rules.fence = (tokens, index, ...rest) => {
        const { info, content } = tokens[index]!;
        if (info.trim() !== 'mermaid') return fence(tokens, index, ...rest);
        return `<Diagram source="${encodeURIComponent(content)}" />`;
      };
      // As on GitHub, indented code looks like fenced code.
      markdown.renderer.rules.code_block = (...token) => markdown.renderer.rules.fence!(...token);
    },
  },
  // Mermaid's own parts are larger than Vite likes; a browser loads those that a diagram needs.
  vite: { build: { chunkSizeWarningLimit: 2_000 } },
  themeConfig: {
    logo: '/icon.svg',
    sidebar,
    nav: [
      { text: 'Documentation', link: '/' },
      { text: 'Packages', link: '/packages/' },
      { text: 'HTTP', link: '/http/' },
    ],
    outline: [2, 3],
    search: {
      provider: 'local',
      options: {
        // What people wrote comes before what is generated. It runs in the browser: nothing outside of it is there.
        miniSearch: {
          searchOptions: { boostDocument: (page: string) => (/\/(packages|http|repository)\//.test(page) ? 0.3 : 1) },
        },
      },
    },
  },
});
