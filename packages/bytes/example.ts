import { bytesOf } from '@fonds/bytes'

async function* source() {
  yield Buffer.from('\x03on')
  yield Buffer.from('e\x05thr')
  yield Buffer.from('ee')
}

const bytes = bytesOf(source())
for (let head = await bytes.take(1); head.length > 0; head = await bytes.take(1))
  console.log((await bytes.take(head.readUInt8())).toString())
