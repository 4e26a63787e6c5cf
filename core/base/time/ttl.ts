/** Returns when DynamoDB may remove a row, in seconds since 1970: so many days after a time. */
export const ttlAfter = (time: Date | string, days: number): number =>
  Math.floor(new Date(time).getTime() / 1_000) + days * 86_400;
