// Loaded into the suite, whose servers would listen on all addresses of this machine. They read their port at once, so `listen` cannot be given
// a host: it would look that up first. Of this Node, which does not change, the function behind it is known.
import { Server } from 'node:net';

const { _listen2: listen } = Server.prototype;
Server.prototype._listen2 = function (address, port, family, ...rest) {
  return listen.call(this, address ?? '127.0.0.1', port, address ? family : 4, ...rest);
};
