import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { Application, type TypeDocOptions } from 'typedoc';
import type { PluginOptions } from 'typedoc-plugin-markdown';
import { repository, type SidebarItem } from './pages.ts';

interface Manifest {
  name: string;
  exports: Record<string, string | { 'vigil-source'?: string } | null>;
}

/** Returns what apps import from a package: the name, by the source file without its ending, as TypeDoc calls it. */
function entriesOf(folder: string): [file: string, name: string][] {
  const { name, exports }: Manifest = JSON.parse(readFileSync(join(repository, folder, 'package.json'), 'utf8'));
  return Object.entries(exports).flatMap(([path, target]) => {
    const source = typeof target === 'string' ? target : target?.['vigil-source'];
    // Not the manifest, and not the tools, each of which is a file.
    if (!source?.endsWith('.ts') || path.includes('*')) return [];
    return [[posix.join(folder, source), posix.join(name, path)]];
  });
}

/** Writes a page for each entry of the packages, from its docstrings. */
export async function writeApiReference(pages: string): Promise<SidebarItem> {
  const entries = [...entriesOf('.'), ...entriesOf('packages/stepfunctions')];
  const options: TypeDocOptions & Partial<PluginOptions> & { placeInternalsInOwningModule: boolean } = {
    plugin: ['typedoc-plugin-missing-exports', 'typedoc-plugin-markdown'],
    logLevel: 'Warn',
    out: join(pages, 'packages'),
    entryPoints: entries.map(([file]) => join(repository, file)),
    basePath: repository,
    tsconfig: join(repository, 'tsconfig.json'),
    readme: 'none',
    // `npm run lint` checks types.
    skipErrorChecking: true,
    // There is no address of the sources yet.
    disableSources: true,
    disableGit: true,
    sortEntryPoints: false,
    excludeInternal: true,
    excludePrivate: true,
    excludeExternals: true,
    // A type that is only named in a signature is on the same page.
    placeInternalsInOwningModule: true,
    groupOrder: ['Functions', 'Classes', 'Interfaces', 'Type Aliases', 'Variables'],
    router: 'module',
    entryFileName: 'index',
    hideBreadcrumbs: true,
    hidePageHeader: true,
    useCodeBlocks: true,
    parametersFormat: 'table',
    interfacePropertiesFormat: 'table',
    classPropertiesFormat: 'table',
    typeDeclarationFormat: 'table',
    propertyMembersFormat: 'table',
  };
  const app = await Application.bootstrapWithPlugins(options);
  const project = await app.convert();
  if (!project) throw new Error('TypeDoc could not read the entries of the packages.');
  const names = new Map(entries.map(([file, name]) => [file.replace(/(\/index)?\.ts$/, ''), name]));
  project.name = 'API of the packages';
  for (const entry of project.children ?? []) entry.name = names.get(entry.name) ?? entry.name;
  await app.generateOutputs(project);
  const items = [...names.values()].map((name) => ({ text: name, link: `/packages/${name}` }));
  return { text: project.name, link: '/packages/', collapsed: true, items };
}
