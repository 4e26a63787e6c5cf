/** A place that the stand-in knows, with its pages. They were written for Vigil and quote no site. */
export interface Place {
  name: string;
  /** One page per subject. Its address is `https://<name>.example/<subject>`. */
  pages: Record<Subject, { title: string; paragraphs: string[] }>;
}

export type Subject = 'sights' | 'food' | 'lodging' | 'transport';
