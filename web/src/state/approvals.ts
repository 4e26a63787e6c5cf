import { type Api, pagesOf, type WaitingApproval } from 'vigil-client';
import { type ApprovalPage, secondLook, untilFresh, wordsOf } from 'vigil-client/shared';
import type { Me } from '../rows/deciders';
import { notify, type VigilStore } from './vigil-state';

/** The approvals and questions that wait for the user, also in the conversations of other people. */
export interface Approvals {
  /**
   * Reads them again. The server says when, and does not push them: see docs/live-protocol.md.
   * @param first the first page, if the home has asked for it, which then takes the second look.
   */
  read(first?: Promise<ApprovalPage>): Promise<void>;
  /** To be called with the id of a callback that the user decides, so that its end is no news. */
  decided(callbackId: string): void;
}

export function readsApprovals(store: VigilStore, api: Api, me: Me): Approvals {
  const ours = new Set<string>();

  async function readAll(first?: Promise<ApprovalPage>): Promise<WaitingApproval[]> {
    const all: WaitingApproval[] = [];
    for await (const page of pagesOf(api.approvals, first)) all.push(...page.approvals);
    return all;
  }

  async function readOnce(first?: Promise<ApprovalPage>): Promise<void> {
    try {
      const approvals = await readAll(first);
      const ids = new Set(approvals.map(({ callback }) => callback.id));
      const ended = store
        .getState()
        .approvals.filter(({ owner, callback: { id } }) => owner !== me.user && !ids.has(id) && !ours.has(id));
      store.setState({ approvals, approvalsReading: { is: 'ready' } });
      // A form that was open may be gone.
      for (const { callback, conversationId } of ended) {
        const typed = store.getState().drafts.has(`${conversationId} ${callback.id}`);
        const unused = typed ? ' What you had typed was not used.' : '';
        notify(store, `Somebody else has decided about ${callback.tool}, or it has ended.${unused}`);
      }
    } catch (error) {
      // What is on the screen stays there, and the next read updates it.
      store.setState(({ approvalsReading }) =>
        approvalsReading.is === 'ready' ? {} : { approvalsReading: { is: 'failed', problem: wordsOf(error) } },
      );
    }
  }

  // Changes that arrive during a read cause one more.
  const readUntilFresh = untilFresh(readOnce);
  const read = (first?: Promise<ApprovalPage>) => {
    // A read that is in progress does not need it.
    first?.catch(() => undefined);
    return readUntilFresh(first);
  };
  const again = secondLook(read);
  return {
    read(first) {
      if (!first) again.order();
      return read(first);
    },
    decided(callbackId) {
      ours.add(callbackId);
      store.setState(({ approvals }) => ({
        approvals: approvals.filter(({ callback }) => callback.id !== callbackId),
      }));
    },
  };
}
