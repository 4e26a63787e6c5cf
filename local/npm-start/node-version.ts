const oldest: readonly [major: number, minor: number] = [20, 19];

/** Checks `process.versions.node`. @throws Error in one line that says what to do. */
export function assertNodeVersion(version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return;
  throw new Error(`Node ${version} is too old: Vigil needs ${oldest.join('.')} or newer.`);
}
