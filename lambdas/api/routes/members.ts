import * as z from 'zod';
import { Member, ReadMark } from '../../../core/base/state/schemas';
import { nameOf } from '../../../core/conversations/approvals/person-name';
import { ignorable, setIgnored } from '../../../core/conversations/members/ignored';
import { acceptInvitation, listInvitations } from '../../../core/conversations/members/invitations';
import { joinByLink, makeLink, readLinks, revokeLink } from '../../../core/conversations/members/links';
import { memberName, removeMember, setMember } from '../../../core/conversations/members/members';
import { acceptOwnership, offerOwnership } from '../../../core/conversations/members/ownership';
import { ownName, readMetaFor } from '../../../core/conversations/members/role';
import type { StoredLink } from '../../../core/conversations/rows/rows';
import { markRead } from '../../../core/people/presence/read-marks';
import { shownMembers } from '../../../core/people/views/shown';
import type { App, Deployment } from '../deployment';
import { refusal, route } from '../route';
import { body, inConversation, json, PartId, problem, UserId } from '../shapes';

const MemberName = z.string().regex(memberName.pattern, memberName.words).openapi({
  description: '`user:` and a user’s id, or `group:` and the name of a group of the user directory',
  example: 'user:ben',
});

const SetMember = z
  .strictObject({
    member: MemberName,
    role: Member.shape.role,
    name: z.string().max(1_000).optional().openapi({
      description: 'The name by which the agent and the others know them. At most 40 characters are kept',
    }),
  })
  .openapi('SetMember', { examples: [{ member: 'user:ben', role: 'member', name: 'Ben' }] });

const Members = z.object({ owner: z.string(), members: z.array(Member) }).openapi('Members');

const day = 86_400;
const MakeLink = z
  .strictObject({
    role: Member.shape.role,
    expiresInSeconds: z
      .number()
      .int()
      .min(60)
      .max(30 * day)
      .default(day),
    once: z.boolean().default(false).openapi({ description: 'Whether one person may use it' }),
  })
  .openapi('MakeLink');

const linkFields = {
  id: z.string(),
  role: Member.shape.role,
  once: z.boolean(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  revokedAt: z.iso.datetime().optional(),
  uses: z.number().int(),
};
export const Link = z.object(linkFields).openapi('ConversationLink');

const NewLink = z
  .object({ ...linkFields, secret: z.string().openapi({ description: 'Who has it, comes in. It is returned once' }) })
  .openapi('NewConversationLink');

const notOwner = refusal('You are not the owner');

const set = route('setMember', 'Members', {
  needs: 'owner',
  method: 'put',
  path: '/conversations/{id}/members',
  summary:
    'Invites a user, shares with a group that you are in, changes what a member may do, or lets in who has come by a link',
  request: { params: inConversation, body: body(SetMember) },
  responses: { 200: json('All members', Members), 403: notOwner },
});

const remove = route('removeMember', 'Members', {
  needs: 'owner',
  method: 'delete',
  path: '/conversations/{id}/members',
  summary: 'Shares a conversation no more with a user or a group. A member leaves it by their own name',
  request: { params: inConversation, query: z.object({ member: MemberName }) },
  responses: { 204: { description: 'Removed' }, 403: notOwner },
});

const make = route('makeLink', 'Members', {
  needs: 'owner',
  method: 'post',
  path: '/conversations/{id}/links',
  summary: 'Makes a link by which people come into the conversation',
  request: { params: inConversation, body: body(MakeLink) },
  responses: {
    201: json('The link', NewLink),
    403: notOwner,
    409: problem('There are too many links'),
  },
});

const listLinks = route('listLinks', 'Members', {
  needs: 'owner',
  method: 'get',
  path: '/conversations/{id}/links',
  summary: 'The links of a conversation, without their secrets',
  request: { params: inConversation },
  responses: { 200: json('The links', z.object({ links: z.array(Link) }).openapi('ConversationLinks')), 403: notOwner },
});

const revoke = route('revokeLink', 'Members', {
  needs: 'owner',
  method: 'delete',
  path: '/conversations/{id}/links/{linkId}',
  summary: 'Revokes a link. Those who have used it stay',
  request: { params: inConversation.extend({ linkId: PartId.openapi({ description: 'The id of the link' }) }) },
  responses: { 204: { description: 'Revoked' }, 403: notOwner },
});

const join = route('joinConversation', 'Members', {
  needs: 'anybody',
  method: 'post',
  path: '/conversations/{id}/join',
  summary: 'Comes into a conversation by the secret of a link, or asks its owner to be let in',
  request: {
    params: inConversation,
    body: body(z.strictObject({ secret: z.string().min(1).max(100) }).openapi('Join')),
  },
  responses: {
    200: json('What you are now', z.object({ role: Member.shape.role, asks: z.boolean() }).openapi('Joined')),
    404: problem('The link is none, has expired, was used or revoked, or the conversation is deleted'),
  },
});

export const Invitation = z
  .object({
    conversationId: z.string(),
    by: z.string().openapi({ description: 'The user who invites' }),
    role: Member.shape.role,
    at: z.iso.datetime(),
  })
  .openapi('Invitation', {
    description: 'It has no words of the conversation, which is not known before it is accepted',
  });

const answer = route('acceptInvitation', 'Members', {
  needs: 'anybody',
  method: 'post',
  path: '/conversations/{id}/invitation',
  summary: 'Accepts an invitation to a conversation. To decline it, remove yourself from the members',
  request: { params: inConversation },
  responses: {
    200: json('What you are now', z.object({ role: Member.shape.role }).openapi('Accepted')),
    404: problem('You are not invited, or not any more'),
  },
});

const invitations = route('listInvitations', 'Members', {
  method: 'get',
  path: '/invitations',
  summary: 'The newest invitations that you have not answered, without those of users whom you ignore',
  responses: {
    200: json('At most 50', z.object({ invitations: z.array(Invitation) }).openapi('Invitations')),
  },
});

const setIgnoredRoute = route('setIgnored', 'Members', {
  method: 'put',
  path: '/ignored',
  summary:
    'Ignores a user, whose invitations and notices do not reach you, or a conversation, of which you get no notices; or no longer',
  request: {
    body: body(
      z
        .strictObject({
          name: z.string().regex(ignorable.pattern, ignorable.words).openapi({ example: 'user:ben' }),
          ignored: z.boolean(),
        })
        .openapi('SetIgnored'),
    ),
  },
  responses: { 204: { description: 'Stored. It changes no role' }, 409: problem('You ignore too many') },
});

const Offer = z
  .strictObject({ user: UserId.nullable().openapi({ description: 'null: takes the offer back' }) })
  .openapi('OfferOwnership');

const offer = route('offerOwnership', 'Members', {
  needs: 'owner',
  method: 'put',
  path: '/conversations/{id}/offer',
  summary: 'Offers the conversation to a member, who becomes its owner when they accept',
  request: { params: inConversation, body: body(Offer) },
  responses: { 200: json('All members', Members), 403: notOwner },
});

const accept = route('acceptOwnership', 'Members', {
  needs: 'member',
  method: 'post',
  path: '/conversations/{id}/ownership',
  summary: 'Becomes the owner of a conversation that is offered to you: its agents act for you from now on',
  request: { params: inConversation },
  responses: {
    200: json('All members', Members),
    409: problem(
      'It is not offered to you, or its agents still work for its owner: `detail` says what is to end first',
    ),
  },
});

const mark = route('markRead', 'Members', {
  needs: 'watcher',
  method: 'put',
  path: '/conversations/{id}/read',
  summary: 'Says how far you have read a shared conversation, for the others to see',
  request: {
    params: inConversation,
    body: body(z.strictObject({ seq: ReadMark.shape.seq.min(0) }).openapi('MarkRead', { examples: [{ seq: 4 }] })),
  },
  responses: {
    204: { description: 'Stored. A mark only moves on; of a conversation of yours alone nothing is stored' },
  },
});

export function memberRoutes(app: App, { table, counts }: Deployment): void {
  app.openapi(set, async (context) => {
    const { id: conversationId } = context.req.valid('param');
    const { member, ...wanted } = context.req.valid('json');
    return context.json(
      shownMembers(await setMember(table, { conversationId, by: context.get('caller') }, member, wanted)),
      200,
    );
  });

  app.openapi(remove, async (context) => {
    const { id: conversationId } = context.req.valid('param');
    const { member } = context.req.valid('query');
    await removeMember(table, { conversationId, by: context.get('caller') }, member, new Date());
    return context.body(null, 204);
  });

  app.openapi(make, async (context) => {
    const { id: conversationId } = context.req.valid('param');
    const { expiresInSeconds: lasts, ...wanted } = context.req.valid('json');
    const by = context.get('caller');
    const { link, secret } = await makeLink(table, { conversationId, by }, { ...wanted, lasts }, new Date());
    context.header('cache-control', 'no-store');
    return context.json({ ...shownLink(link), secret }, 201);
  });

  app.openapi(listLinks, async (context) => {
    const { id } = context.req.valid('param');
    const meta = await readMetaFor(table, id, context.get('caller'), 'owner');
    return context.json({ links: (await readLinks(table, meta)).map(shownLink) }, 200);
  });

  app.openapi(revoke, async (context) => {
    const { id: conversationId, linkId } = context.req.valid('param');
    await revokeLink(table, { conversationId, by: context.get('caller') }, linkId, new Date());
    return context.body(null, 204);
  });

  app.openapi(join, async (context) => {
    const { id: conversationId } = context.req.valid('param');
    const { secret } = context.req.valid('json');
    const by = context.get('caller');
    const meta = await joinByLink(table, { conversationId, by }, { secret, called: nameOf(by) }, new Date());
    const { role = 'member', asks } = meta.members?.[ownName(by)] ?? {};
    return context.json({ role, asks: asks === true }, 200);
  });

  app.openapi(answer, async (context) => {
    const { id: conversationId } = context.req.valid('param');
    const by = context.get('caller');
    const meta = await acceptInvitation(table, { conversationId, by }, new Date());
    return context.json({ role: meta.members?.[ownName(by)]?.role ?? 'watcher' }, 200);
  });

  app.openapi(invitations, async (context) => {
    context.header('cache-control', 'no-store');
    return context.json({ invitations: await listInvitations(table, context.get('user')) }, 200);
  });

  app.openapi(setIgnoredRoute, async (context) => {
    const { name, ignored } = context.req.valid('json');
    await setIgnored(table, context.get('user'), name, ignored);
    return context.body(null, 204);
  });

  app.openapi(mark, async (context) => {
    const { id } = context.req.valid('param');
    const { seq } = context.req.valid('json');
    const by = context.get('caller');
    await markRead(table, id, by, { seq, called: nameOf(by) }, new Date());
    return context.body(null, 204);
  });

  app.openapi(offer, async (context) => {
    const { id: conversationId } = context.req.valid('param');
    const { user } = context.req.valid('json');
    const asked = { conversationId, by: context.get('caller') };
    return context.json(shownMembers(await offerOwnership(table, asked, user ?? undefined)), 200);
  });

  app.openapi(accept, async (context) => {
    const { id: conversationId } = context.req.valid('param');
    const asked = { conversationId, by: context.get('caller') };
    return context.json(shownMembers(await acceptOwnership(table, asked, new Date(), counts())), 200);
  });
}

export const shownLink = ({ digest: _, version: __, handedOver: ___, by: ____, once, ...link }: StoredLink) => ({
  ...link,
  once: once === true,
});
