/** A place that the stand-in knows, with the pages that it has about it. Written for Vigil; nobody's site is quoted. */
export interface Place {
  name: string;
  /** A page each; its address is `https://<name>.example/<subject>`. */
  pages: Record<Subject, { title: string; paragraphs: string[] }>;
}

export type Subject = 'sights' | 'food' | 'lodging' | 'transport';
