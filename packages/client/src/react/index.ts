/** `vigil/react`: the client's conversations, list and approvals as hooks. @packageDocumentation */

export {
  type UsedConversation,
  useApprovals,
  useClient,
  useConversation,
  useConversations,
  VigilProvider,
} from './hooks';
