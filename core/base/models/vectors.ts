/**
 * Returns a vector with a byte for each number. The angle between two vectors, by which they are compared, hardly changes: with 256
 * dimensions, the similarity by less than 0.01.
 */
export function quantised(vector: Float32Array): Int8Array {
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return Int8Array.from(vector, (value) => (largest > 0 ? Math.round((value / largest) * 127) : 0));
}

/** Returns the cosine similarity of two vectors of one length, from -1 to 1; 0 if one of them has no direction. */
export function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let [dot, ofA, ofB] = [0, 0, 0];
  for (let index = 0; index < a.length; index++) {
    dot += a[index]! * b[index]!;
    ofA += a[index]! ** 2;
    ofB += b[index]! ** 2;
  }
  return ofA && ofB ? dot / Math.sqrt(ofA * ofB) : 0;
}

/** Texts with a smaller similarity are unrelated. */
export const nearEnough = 0.3;
