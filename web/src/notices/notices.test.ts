import { type Api, RequestFailed } from 'vigil-client';
import { openNotices } from './notices';

const session = { user: 'ada', renew: async () => undefined } as never;
const failing = (status: number) =>
  openNotices(
    { noticeSettings: () => Promise.reject(new RequestFailed(status, 'x')) } as unknown as Api,
    (() => undefined) as never,
    session,
  );

test('a deployment without notifications has no settings of them; another failure is one', async () => {
  expect(await failing(404).settings()).toBeUndefined();
  await expect(failing(500).settings()).rejects.toMatchObject({ status: 500 });
});
