import { encodeMessage, wholeSeconds } from './message-encoding.ts';
import type { MessageReceipt, QueuePort } from './ports.ts';

type Body = Readonly<Record<string, unknown>>;

/** A message as its receiver holds it. */
export interface ReceivedMessage extends MessageReceipt {
  readonly body: Body;
  /** Times it was received, this one included. */
  readonly dequeueCount: number;
}

/** A message in the queue, visible or not. */
export interface QueuedMessage {
  readonly messageId: string;
  readonly body: Body;
  readonly visibleAt: number;
  readonly dequeueCount: number;
}

/** Messages in memory with the semantics of Queue Storage; synchronous, so that a simulator can own the order. */
export interface QueueMemory {
  send(body: Body, delayMs: number): MessageReceipt;
  /** Undefined when the receipt does not hold: every receive and every update makes a new one. */
  update(receipt: MessageReceipt, body: Body, delayMs: number): MessageReceipt | undefined;
  /** False when the receipt does not hold. */
  delete(receipt: MessageReceipt): boolean;
  /** The visible message that became visible first, or the one named if it is visible; hidden for `hideMs`. */
  receive(hideMs: number, messageId?: string): ReceivedMessage | undefined;
  /** Every message, also the hidden ones, in the order in which they become visible. */
  list(): QueuedMessage[];
}

/** `now` in epoch milliseconds. */
export function createQueueMemory(now: () => number): QueueMemory {
  const messages = new Map<string, QueuedMessage & { readonly popReceipt: string; readonly order: number }>();
  let counter = 0;

  const store = (messageId: string, body: Body, visibleAt: number, dequeueCount: number): MessageReceipt => {
    counter += 1;
    const popReceipt = `r${counter}`;
    messages.set(messageId, { messageId, body, visibleAt, dequeueCount, popReceipt, order: counter });
    return { messageId, popReceipt };
  };
  const held = (receipt: MessageReceipt): QueuedMessage | undefined => {
    const message = messages.get(receipt.messageId);
    return message?.popReceipt === receipt.popReceipt ? message : undefined;
  };
  const inOrder = (): QueuedMessage[] =>
    [...messages.values()].toSorted((a, b) => a.visibleAt - b.visibleAt || a.order - b.order);

  return {
    send(body, delayMs) {
      counter += 1;
      return store(`m${counter}`, copy(body), now() + wholeSeconds(delayMs) * 1000, 0);
    },
    update(receipt, body, delayMs) {
      const message = held(receipt);
      if (message === undefined) return undefined;
      const visibleAt = now() + wholeSeconds(delayMs) * 1000;
      return store(message.messageId, copy(body), visibleAt, message.dequeueCount);
    },
    delete(receipt) {
      return held(receipt) !== undefined && messages.delete(receipt.messageId);
    },
    receive(hideMs, messageId) {
      const message = inOrder().find(
        (candidate) =>
          candidate.visibleAt <= now() && (messageId ?? candidate.messageId) === candidate.messageId,
      );
      if (message === undefined) return undefined;
      const dequeueCount = message.dequeueCount + 1;
      const receipt = store(message.messageId, message.body, now() + hideMs, dequeueCount);
      return { ...receipt, body: message.body, dequeueCount };
    },
    list: inOrder,
  };
}

/** The twin of createQueue: the same promises over memory. */
export function createInMemoryQueue(memory: QueueMemory): QueuePort {
  return {
    send: async (body, delayMs) => memory.send(body, delayMs),
    reschedule: async (receipt, body, delayMs) => memory.update(receipt, body, delayMs) !== undefined,
    delete: async (receipt) => {
      memory.delete(receipt);
    },
  };
}

/** What a receiver would see: the body as it went over the wire. */
function copy(body: Body): Body {
  encodeMessage(body);
  return structuredClone(body);
}
