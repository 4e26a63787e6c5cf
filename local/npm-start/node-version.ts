const OLDEST: readonly [major: number, minor: number] = [20, 19];

/** Throws one line that says what to do. `version` as in `process.versions.node`. */
export function assertNodeVersion(version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return;
  throw new Error(`Node ${version} is too old: Vigil needs ${OLDEST.join('.')} or newer.`);
}
