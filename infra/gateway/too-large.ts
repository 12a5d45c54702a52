import { ServerInterceptingCall, type ServerInterceptor, status } from '@grpc/grpc-js'

/** A message that is too large for the library is refused by it, in words of its own: this says it as EventStoreDB does. */
export const sayingTooLarge: ServerInterceptor = (_, call) => {
  const send = call.sendStatus.bind(call)
  call.sendStatus = (sent) =>
    send(sent.code === status.RESOURCE_EXHAUSTED ? { ...sent, details: tooLarge } : sent)
  return new ServerInterceptingCall(call)
}

const tooLarge = 'Received message exceeds the maximum configured message size.'
