/** The indexes lag by moments: a change committed just before a subscription may be neither read nor pushed. */
const secondLookMs = 5_000;

/** Reads once more, some seconds after the last order. */
export function secondLook(read: () => unknown) {
  let later: ReturnType<typeof setTimeout> | undefined;
  const cancel = () => clearTimeout(later);
  return {
    order(): void {
      cancel();
      later = setTimeout(read, secondLookMs);
    },
    cancel,
  };
}
