import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mayAsk, mayBeInner, parseHosts } from '../src/hosts.ts'

describe('hosts that may be fetched from', () => {
  const allows = (setting: string, ...hosts: readonly string[]) =>
    hosts.filter((host) => mayAsk(parseHosts(setting)!, `https://${host}/x.mp3`))

  it('a name is that host alone, a name after a dot it and all beneath it', () => {
    const asked = ['radio.example', 'cdn.radio.example', 'a.cdn.radio.example', 'myradio.example', 'example']
    expect(allows('radio.example', ...asked)).toEqual(['radio.example'])
    expect(allows('.radio.example', ...asked)).toEqual(asked.slice(0, 3))
    expect(allows('example, .cdn.radio.example ,', ...asked)).toEqual([
      'cdn.radio.example',
      'a.cdn.radio.example',
      'example',
    ])
    expect(allows(' , ', ...asked)).toEqual([])
  })

  it('however it is written: capitals, ports, a last dot, other alphabets, other forms of a number', () => {
    const written = ['RADIO.example', 'radio.example:8443', 'radio.example.']
    expect(allows('Radio.Example.', ...written)).toEqual(written)
    expect(allows('bücher.example', 'xn--bcher-kva.example', 'BÜCHER.example')).toHaveLength(2)
    expect(allows('10.0.0.1', '10.0.0.1', '167772161', '0x0a.0.0.1', '10.0.0.2')).toHaveLength(3)
    expect(allows('[::1]', '[0:0:0:0:0:0:0:1]:80', '[::2]')).toHaveLength(1)
  })

  it('a star is any host; whether it may be an inner one is said by its name', () => {
    expect(allows('*', 'radio.example', '10.0.0.1')).toHaveLength(2)
    expect(mayBeInner(parseHosts('*,store.internal'), 'http://store.internal/')).toBe(true)
    expect(mayBeInner(parseHosts('*,store.internal'), 'http://10.0.0.1/')).toBe(false)
  })

  it('who stands before the @ is not the host', () => {
    expect(mayAsk(['radio.example'], 'http://radio.example@10.0.0.1/')).toBe(false)
    expect(mayAsk(['radio.example'], 'http://10.0.0.1#radio.example')).toBe(false)
    expect(mayAsk(['.radio.example'], 'http://10.0.0.1/.radio.example')).toBe(false)
  })

  it.each([
    'https://radio.example',
    'radio.example:80',
    '*.radio.example',
    'radio.example/x',
    '..',
    'a b',
    '.',
  ])('%s is no name of a host', (text) => expect(parseHosts(`good.example,${text}`)).toBeUndefined())

  it('property: a name after a dot allows nothing that is not beneath it', () => {
    const label = fc.stringMatching(/^[a-z]{1,5}$/)
    const name = fc.array(label, { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(name, name, (allowed, asked) => {
        const isBeneath = asked.slice(-allowed.length).join('.') === allowed.join('.')
        expect(mayAsk(parseHosts(`.${allowed.join('.')}`)!, `http://${asked.join('.')}/`)).toBe(isBeneath)
      }),
    )
  })
})
