/* URLs as crawls meet them, and worse, from a seed. */

type Chance = () => number

/** What comes more often stands more often. */
const list = (text: string): readonly string[] => text.split('¦')

const schemes =
  list(`http://¦http://¦http://¦http://¦https://¦https://¦HTTP://¦hTTps://¦ftp://¦¦//¦://¦http:¦http:/¦\
http:///¦https:////¦HTTP:¦dns:¦DNS:¦dns://¦mailto:¦urn:¦urn:uuid:¦warcinfo:¦metadata:¦metadata://¦\
screenshot:http://¦whois://¦data:¦javascript:¦x-y+z.1:¦file:///¦view-source:https://¦1http://¦\
http//¦ http://¦\thttp://¦ht\ntp://¦\0http://¦filedesc:¦filedesc://¦FILEDESC://¦Urn:¦about:`)
const users = list(`¦¦¦¦¦u@¦u:p@¦u:p@q@¦@¦u%40@¦:@`)
const labels =
  list(`example¦Example¦a¦B¦www¦www¦WWW2¦www10¦wwwx¦xn--bcher-kva¦XN--Tda¦bücher¦BÜCHER¦straße¦ελλάς¦ΣΑΣ¦\
россия¦Ёлка¦日本語¦テスト¦ＡＢＣ¦한국¦עברית¦العربية¦ไทย¦हिन्दी¦☃¦💩¦i\u0307¦İstanbul¦e\u0301¦ﬁn¦½¦\u00ad¦\
a\u200db¦_dmarc¦a_b¦-a¦a-¦a--b¦%41b¦%c3%bc¦%C3%BC¦%fc¦%ff¦%2541¦%¦%zz¦a b¦a%20b¦!¦'¦*¦,¦(¦)¦1¦01¦\
127¦0377¦256¦0x7f¦3279880203¦08¦4294967296¦\u2488¦${'x'.repeat(64)}¦${'ü'.repeat(40)}¦\
${'ü'.repeat(64)}¦¦…¦\u00a0¦\ufffd¦é%e9`)
const ends = list(`.com¦.org¦.co.uk¦.dk¦¦.¦..¦.рф¦。jp¦．jp¦%2ecom¦.COM¦ ¦\\x¦;x¦%00`)
const ports = list(
  `¦¦¦¦¦¦¦¦¦¦¦¦¦¦¦¦¦¦¦¦¦¦¦¦:80¦:8080¦:443¦:¦:80¦:443¦:8080¦:080¦:0¦:00¦:65535¦:65536¦:x¦:80:90¦:-1¦: 80¦:８０`,
)
const segments =
  list(`a¦B¦Index.HTML¦page.aspx¦PAGE.ASPX¦x.aspx¦¦¦.¦..¦...¦..a¦%2e¦%2E%2e¦%2f¦%2F..%2f¦%252e¦%252f¦ ¦%20¦\
+¦%2b¦ü¦é¦%c3%a9¦%C3%A9¦%e9¦%E9¦%ff%fe¦\u00e9%e9¦%¦%%¦%2¦%zz¦%25¦%2525¦%2%35¦%%34%31¦%41¦%2541¦\
%252541¦%00¦%0a¦%7f¦\0¦\x01¦\x1f¦\x7f¦\x80¦\ufeff¦\ufffd¦日本¦💩¦%f0%9f%92%a9¦\t¦\n¦\r\n¦\v¦\f¦\u2028¦\
\u00a0¦a;b=c¦;jsessionid=0123456789abcdef0123456789abcdef¦\
a;jsessionid=0123456789ABCDEF0123456789abcdef¦(4hqa0555fwsecu455xqckv45)¦\
(S(4hqa0555fwsecu455xqckv45))¦(a(4hqa0555fwsecu455xqckv45)S(4hqa0555fwsecu455xqckv45))¦\
%284HQA0555FWSECU455XQCKV45)¦(4hqa0555fwsecu455xqckv4)¦(1(4hqa0555fwsecu455xqckv45))¦\
x(4hqa0555fwsecu455xqckv45)¦"<>\`{}|\\^¦!$&'()*,=:@~¦%23¦%3f¦%3F¦%26¦%3d¦http:¦www.x.org¦a%5cb¦\
x.cgi`)
const names =
  list(`a¦B¦b¦a-¦a!¦aa¦ü¦%c3%bc¦%41¦¦A%3d¦id¦utm_source¦sid¦x.sid¦cfid¦CFID¦cftoken¦CFToken¦acfid¦\
jsessionid¦JSessionID¦phpsessid¦PHPSESSID¦aspsessionidabcdefgh¦ASPSESSIONIDCCCCCCCC¦aspsessionid¦\
%26¦%2541¦x%26sid¦~¦_¦?¦/`)
const equals = list(`=¦=¦=¦=¦¦==¦%3d`)
const values =
  list(`¦1¦2¦10¦A¦b¦a=b¦a%26b¦a%3d¦%e9¦%C3%89¦É¦+¦%20¦ ¦%2b¦%¦%zz¦%2525¦..¦//¦/¦?¦;x¦%23¦%0a¦\n¦"<>¦'¦\
0123456789abcdef0123456789abcdef¦0123456789ABCDEF0123456789ABCDEF¦0123456789abcdef0123456789abcde¦\
0123456789abcdef0123456789abcdefa¦0123456789abcdef0123456789abcde%66¦abcdefghijklmnopqrstuvwx¦\
ABCDEFGHIJKLMNOPQRSTUVWX¦abcdefghijklmnopqrstuvw1¦1;y¦http://www.A.org:80/B?c`)
const separators = list(`&¦&¦&¦&¦&&¦;¦%26`)
const fragments = list(`¦¦¦¦¦#¦#a¦#a?b¦#!/a¦#a#b`)
const blanks = list(`¦¦¦¦¦¦ ¦\n¦\t ¦\v¦\f¦\u00a0¦\0`)

/** Now and then a character more, less, or another one. */
const noise = list(`%¦/¦.¦:¦?¦#¦&¦=¦@¦[¦]¦\\¦ ¦\n¦\0¦ü¦\u3002¦%2¦2¦5¦E¦(¦)¦,¦;¦www.¦..¦//`)

const addresses =
  list(`1.2.3.4¦[::1]¦[2001:DB8::1]¦[::ffff:1.2.3.4]¦[¦]¦[a¦[::1]x¦a[b]¦1.2¦1.2.3¦017.1¦1.65536¦1.2.3.4.5¦0¦\
1.2.3.256¦%31.2.3.4¦www.1.2.3.4¦99999999999`)

export const generatedUrl = (chance: Chance): string => {
  const pick = <A>(from: readonly A[]): A => from[Math.floor(chance() * from.length)]!
  const upTo = (most: number, of: () => string) => Array.from({ length: chance() * (most + 1) }, of).join('')
  const host = () => (chance() < 0.04 ? pick(addresses) : upTo(3, () => `${pick(labels)}.`).slice(0, -1))
  const segment = () => pick(segments) + (chance() < 0.9 ? '/' : '')
  const parameter = () => pick(names) + pick(equals) + pick(values) + pick(separators)
  const url = [
    pick(schemes) + pick(users) + host() + pick(ends) + pick(ports),
    chance() < 0.1 ? '' : `/${upTo(5, segment)}${pick(segments)}`,
    chance() < 0.5 ? '' : `?${upTo(4, parameter)}${pick(names)}${pick(values)}`,
    pick(fragments) + pick(blanks),
  ].join('')
  if (chance() < 0.8) return url
  const at = Math.floor(chance() * (url.length + 1))
  return url.slice(0, at) + pick(noise) + url.slice(at + (chance() < 0.5 ? 1 : 0))
}
