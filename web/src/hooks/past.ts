import { createContext, use } from 'react';

/** In a replay: the time that is shown. Parts of the page then show that time, and offer no actions. */
export const PastContext = createContext<number | undefined>(undefined);

export const usePast = (): number | undefined => use(PastContext);
