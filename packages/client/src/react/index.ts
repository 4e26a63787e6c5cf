/** `vigil/react`: the client's conversations, lists and approvals as hooks. @packageDocumentation */

export {
  type UsedConversation,
  useApprovals,
  useClient,
  useConversation,
  useConversations,
  useFeed,
  useHome,
  VigilProvider,
} from './hooks';
