/** `vigil/react`: the hooks of the package `vigil-client`. */
export type * from 'vigil-client/react';
export {
  useApprovals,
  useClient,
  useConversation,
  useConversations,
  useFeed,
  useHome,
  VigilProvider,
} from 'vigil-client/react';
