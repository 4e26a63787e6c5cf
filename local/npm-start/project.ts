import type { Builder } from '../build/builder';

/** The project to start: this repository, or an app that uses the package. */
export interface Project {
  /** The folder of its sources and of its state. */
  root: string;
  /** Folders and files under the root that the synthesis depends on. */
  sources: readonly string[];
  builder: Builder;
  /** The folder of the built page. */
  web: string;
  /** Builds the page, if it is not up to date. */
  buildPage(say: (line: string) => void): Promise<void>;
  /** The command that starts it with options, for the terminal: `npm start --`. */
  command: string;
  /** A conversation to begin, for the terminal. Without one, it is an agent's first example. */
  example?: { agent: string; text: string };
}
