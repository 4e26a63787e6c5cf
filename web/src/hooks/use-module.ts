import { useVigilState } from './use-vigil';

/** Whether the deployment has a feature that an app may leave out. Until that is known, it has. */
export const useModule = (name: string): boolean => useVigilState(({ modules }) => modules?.includes(name) ?? true);
