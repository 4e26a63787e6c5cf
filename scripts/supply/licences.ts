import type { BundledPackage } from './bundled';

/** Licences that allow deploying a package under Vigil's own. Each asks for no more than its notice, except as said. */
const allowed: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
  // The package's own files stay under it. Vigil bundles them unchanged, and the registry has their source.
  'MPL-2.0',
  // Fonts.
  'OFL-1.1',
]);

/** Whether an SPDX expression allows it: one of several with OR, all of them with AND. */
export function isAllowed(expression: string): boolean {
  const inner = /\(([^()]*)\)/.exec(expression);
  if (inner) return isAllowed(expression.replace(inner[0], isAllowed(inner[1]!) ? 'MIT' : 'none'));
  return expression.split(/ OR /i).some((all) => all.split(/ AND /i).every((one) => allowed.has(one.trim())));
}

/** Returns one line for each package whose licence is not allowed. */
export const notAllowed = (packages: BundledPackage[]): string[] =>
  packages
    .filter(({ license }) => !isAllowed(license))
    .map(
      ({ name, version, license }) =>
        `${name} ${version}: the licence ${license || '(none)'} is not allowed. Replace the package, or allow the licence in scripts/supply/licences.ts.`,
    );

/** Draws docs/licences.md. Without versions, so that an update of a package leaves it alone. */
export function drawn(packages: BundledPackage[]): string {
  const rows = new Map<string, Set<string>>();
  for (const { name, license, in: places } of packages) {
    const key = `| \`${name}\` | ${license} |`;
    rows.set(key, new Set([...(rows.get(key) ?? []), ...places]));
  }
  const lines = [...rows].map(([row, places]) => `${row} ${[...places].sort().join(', ')} |`);
  return `# Licences

The packages of other people that are in what you deploy, with the licences that they name: \`functions\` are the Lambda bundles, \`page\` is the built page. Tools that
only build and test Vigil are not listed. \`npx tsx scripts/supply/main.ts licences\` draws this page from the bundles. A test fails at a package whose licence is not in the list of
\`scripts/supply/licences.ts\`.

| package | licence | in |
|---|---|---|
${lines.join('\n')}
`;
}
