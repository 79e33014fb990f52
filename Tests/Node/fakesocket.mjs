// @ts-check
/** What the page finds as a browser's socket, as far as its connection asks for it. */
export class FakeSocket {
  static OPEN = 1;
  /** @type {FakeSocket[]} */ static all = [];
  readyState = 1;
  /** @type {Uint8Array[]} */ sent = [];
  isClosed = false;
  /** @type {any} */ onopen;
  /** @type {any} */ onmessage;
  /** @type {any} */ onclose;

  constructor() {
    FakeSocket.all.push(this);
  }

  /** @param {Uint8Array} message */
  send(message) {
    // As a browser does: the page writes its next message in the same place.
    this.sent.push(message.slice());
  }

  close() {
    this.isClosed = true;
  }

  /** @param {Uint8Array} message */
  receive(message) {
    this.onmessage({ data: message.slice().buffer });
  }

  /** How often the page asked for a keyframe. */
  get requests() {
    return this.sent.filter(([type]) => type === 0x0b).length;
  }
}
