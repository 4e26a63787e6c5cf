/**
 * `npm run docs`: builds the documentation site into `docs/site/dist`. Arguments are VitePress's, for example `--base /vigil/`.
 *
 * VitePress reads one folder, so all pages are gathered in `docs/site/pages`: those of `docs/`, those that they link to, and the reference, which
 * is generated. The packages for it are installed here, and not with Vigil's own.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeHttpReference } from './http-reference.ts';
import { writeForModels } from './llms.ts';
import { repository, type SidebarItem, shelves, site, writePages } from './pages.ts';

const pages = join(site, 'pages');
const modules = join(site, 'node_modules');

function install(): void {
  // npm writes this file last, so it is older than the lock file only if another version was installed.
  const installed = join(modules, '.package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(site, 'package-lock.json')).mtimeMs) return;
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: site,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
}

/** Returns the sidebar: the shelves of docs/README.md, with the generated pages on that of the reference. */
async function gather(): Promise<SidebarItem[]> {
  rmSync(pages, { recursive: true, force: true });
  mkdirSync(join(pages, 'public'), { recursive: true });
  cpSync(join(repository, 'docs/pictures'), join(pages, 'public/pictures'), { recursive: true });
  cpSync(join(repository, 'docs/openapi.json'), join(pages, 'public/openapi.json'));
  cpSync(join(repository, 'web/public/icon.svg'), join(pages, 'public/icon.svg'));
  writePages(pages);
  // Not before its packages are installed.
  const { writeApiReference } = await import('./api-reference.ts');
  const generated = [await writeApiReference(pages), writeHttpReference(pages)];
  return shelves().map((shelf) =>
    shelf.text === 'Reference' ? { ...shelf, items: [...shelf.items!, ...generated] } : shelf,
  );
}

async function build(): Promise<void> {
  install();
  const sidebar = await gather();
  writeFileSync(join(pages, 'sidebar.json'), JSON.stringify(sidebar));
  const vitepress = join(modules, 'vitepress/bin/vitepress.js');
  execFileSync(process.execPath, [vitepress, 'build', site, ...process.argv.slice(2)], { stdio: 'inherit' });
  writeForModels(pages, sidebar, join(site, 'dist'));
}

build().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
