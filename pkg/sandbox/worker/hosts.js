// The host objects of the sandbox (docs/handlers.md). It is called with
// what Go does, the part that makes Intl, and the JSON of the shared lists, and
// returns what the factory gets.
(function (native, intl, lists) {
	'use strict'
	const bufferOf = (v) => {
		if (v instanceof ArrayBuffer) return v
		if (ArrayBuffer.isView(v)) return v.buffer.slice(v.byteOffset, v.byteOffset + v.byteLength)
		throw new TypeError('expected a string, an ArrayBuffer or a typed array')
	}
	const freeze = (v) => {
		if (v === null || typeof v !== 'object') return v
		for (const key of Object.keys(v)) v[key] = freeze(v[key])
		return native.guard(Object.freeze(v))
	}
	const named = (error, name) => Object.defineProperty(error, 'name', { value: name, configurable: true, writable: true })

	class TextEncoder {
		get encoding() { return 'utf-8' }
		encode(text = '') { return new Uint8Array(native.encode(String(text), 'utf8')) }
	}

	const labels = {
		'utf-8': 'utf8', utf8: 'utf8', 'unicode-1-1-utf-8': 'utf8', 'utf-16le': 'utf16le', 'utf-16': 'utf16le',
		'windows-1252': 'windows-1252', 'iso-8859-1': 'windows-1252', latin1: 'windows-1252', ascii: 'windows-1252', 'us-ascii': 'windows-1252',
	}
	class TextDecoder {
		#how
		constructor(label = 'utf-8', options = {}) {
			this.#how = labels[String(label).trim().toLowerCase()]
			if (!this.#how) throw new RangeError(`The "${label}" encoding is not supported`)
			this.encoding = { utf8: 'utf-8', utf16le: 'utf-16le' }[this.#how] ?? this.#how
			this.fatal = Boolean(options.fatal)
			this.ignoreBOM = Boolean(options.ignoreBOM)
		}
		decode(bytes, options = {}) {
			if (options.stream) throw new TypeError('TextDecoder: streams are not available, decode the whole')
			const text = bytes === undefined ? '' : native.decode(bufferOf(bytes), this.#how)
			if (this.fatal && text.includes('\uFFFD')) throw new TypeError('The encoded data was not valid for encoding ' + this.encoding)
			return this.ignoreBOM ? text : text.replace(/^\uFEFF/, '')
		}
	}

	const encodings = { 'utf-8': 'utf8', binary: 'latin1', ucs2: 'utf16le', 'ucs-2': 'utf16le', 'utf-16le': 'utf16le' }
	const encodingOf = (name) => {
		const lower = String(name ?? 'utf8').toLowerCase()
		return encodings[lower] ?? lower
	}
	const encode = (text, name) => {
		const how = encodingOf(name)
		return native.encode(text, { ascii: 'latin1', base64url: 'base64' }[how] ?? how)
	}
	class Buffer extends Uint8Array {
		static from(v, encoding, length) {
			if (typeof v === 'string') return new Buffer(encode(v, encoding))
			if (v instanceof ArrayBuffer) return new Buffer(v, encoding, length)
			if (v && v.type === 'Buffer' && Array.isArray(v.data)) v = v.data
			if (v === null || typeof v !== 'object') throw new TypeError('Buffer.from: expected a string, an ArrayBuffer, a typed array or an array')
			const bytes = Uint8Array.from(v)
			return new Buffer(bytes.buffer, bytes.byteOffset, bytes.byteLength)
		}
		static of(...bytes) { return Buffer.from(bytes) }
		static alloc(size, fill = 0, encoding) {
			const made = new Buffer(size)
			const bytes = typeof fill === 'string' ? Buffer.from(fill, encoding) : fill
			for (let i = 0; i < size && bytes !== 0; i++) made[i] = typeof bytes === 'number' ? bytes : bytes[i % bytes.length]
			return made
		}
		static concat(list, total = list.reduce((sum, b) => sum + b.length, 0)) {
			const all = new Buffer(total)
			let at = 0
			for (const part of list) {
				const fits = part.subarray(0, Math.max(total - at, 0))
				all.set(fits, at)
				at += fits.length
			}
			return all
		}
		static byteLength(v, encoding) { return typeof v === 'string' ? encode(v, encoding).byteLength : v.byteLength }
		static isBuffer(v) { return v instanceof Buffer }
		static isEncoding(name) { return ['utf8', 'hex', 'base64', 'base64url', 'latin1', 'ascii', 'utf16le'].includes(encodingOf(name)) }
		static compare(a, b) {
			for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return a[i] < b[i] ? -1 : 1
			return Math.sign(a.length - b.length)
		}
		toString(encoding, start = 0, end = this.length) { return native.decode(bufferOf(this.subarray(Math.max(start, 0), Math.max(end, 0))), encodingOf(encoding)) }
		toJSON() { return { type: 'Buffer', data: [...this] } }
		slice(start, end) { return this.subarray(start, end) }
		equals(other) { return Buffer.compare(this, other) === 0 }
		compare(other) { return Buffer.compare(this, other) }
		indexOf(v, from = 0, encoding) {
			if (typeof v === 'number') return super.indexOf(v & 255, from)
			const what = typeof v === 'string' ? Buffer.from(v, encoding) : v
			for (let i = from < 0 ? Math.max(this.length + from, 0) : from; i + what.length <= this.length; i++) {
				let j = 0
				while (j < what.length && this[i + j] === what[j]) j++
				if (j === what.length) return i
			}
			return -1
		}
		includes(v, from, encoding) { return this.indexOf(v, from, encoding) >= 0 }
	}
	for (const [name, method, size] of [
		['UInt8', 'Uint8', 1], ['Int8', 'Int8', 1], ['UInt16', 'Uint16', 2], ['Int16', 'Int16', 2], ['UInt32', 'Uint32', 4], ['Int32', 'Int32', 4],
		['Float', 'Float32', 4], ['Double', 'Float64', 8], ['BigUInt64', 'BigUint64', 8], ['BigInt64', 'BigInt64', 8],
	]) {
		for (const order of size === 1 ? [''] : ['LE', 'BE']) {
			const read = function (offset = 0) {
				if (!(offset >= 0 && offset + size <= this.length)) throw new RangeError(`The value of "offset" is out of range: ${offset}`)
				return new DataView(this.buffer, this.byteOffset, this.byteLength)['get' + method](offset, order === 'LE')
			}
			Object.defineProperty(Buffer.prototype, 'read' + name + order, { value: read, writable: true, configurable: true })
		}
	}

	let reset // sets the pairs of URLSearchParams anew
	class URLSearchParams {
		#list = []
		#changed = () => {}
		static {
			reset = (params, text, changed) => {
				params.#list = URLSearchParams.#read(text)
				if (changed) params.#changed = changed
			}
		}
		static #read(text) {
			return text.replace(/^\?/, '').split('&').filter(Boolean).map((part) => {
				const i = part.indexOf('=')
				return i < 0 ? [native.formDecode(part), ''] : [native.formDecode(part.slice(0, i)), native.formDecode(part.slice(i + 1))]
			})
		}
		constructor(init = '') {
			if (init === null || typeof init !== 'object') {
				this.#list = URLSearchParams.#read(String(init))
				return
			}
			for (const pair of init[Symbol.iterator] ? init : Object.entries(init)) {
				const [key, value, ...rest] = [...pair]
				if (value === undefined && [...pair].length < 2 || rest.length > 0) throw new TypeError('Each query pair must be an iterable [name, value] tuple')
				this.#list.push([String(key), String(value)])
			}
		}
		append(key, value) { this.#list.push([String(key), String(value)]); this.#changed() }
		delete(key, value) { this.#list = this.#list.filter(([k, v]) => k !== String(key) || value !== undefined && v !== String(value)); this.#changed() }
		get(key) { return this.#list.find(([k]) => k === String(key))?.[1] ?? null }
		getAll(key) { return this.#list.filter(([k]) => k === String(key)).map(([, v]) => v) }
		has(key, value) { return this.#list.some(([k, v]) => k === String(key) && (value === undefined || v === String(value))) }
		set(key, value) {
			const i = this.#list.findIndex(([k]) => k === String(key))
			this.#list = this.#list.filter(([k], j) => j === i || k !== String(key))
			this.#list[i < 0 ? this.#list.length : i] = [String(key), String(value)]
			this.#changed()
		}
		sort() { this.#list.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)); this.#changed() }
		forEach(fn, self) { for (const [key, value] of this.#list) fn.call(self, value, key, this) }
		*keys() { for (const [key] of this.#list) yield key }
		*values() { for (const [, value] of this.#list) yield value }
		*entries() { for (const [key, value] of this.#list) yield [key, value] }
		[Symbol.iterator]() { return this.entries() }
		get size() { return this.#list.length }
		toString() { return this.#list.map(([k, v]) => native.formEncode(k) + '=' + native.formEncode(v)).join('&') }
	}

	class URL {
		#parts
		#params = new URLSearchParams()
		constructor(text, base) {
			this.#parts = URL.#read(text, base)
			reset(this.#params, this.search, () => {
				const text = this.#params.toString()
				this.#parts.search = text && '?' + text
			})
		}
		static #read(text, base) {
			const parts = native.parseURL(String(text), base === undefined ? undefined : String(base))
			if (parts === null) throw Object.assign(new TypeError('Invalid URL'), { code: 'ERR_INVALID_URL', input: String(text) })
			return parts
		}
		static canParse(text, base) { return native.parseURL(String(text), base === undefined ? undefined : String(base)) !== null }
		get protocol() { return this.#parts.protocol }
		set protocol(v) { this.#set('protocol', String(v).replace(/:.*/, '') + ':') }
		get username() { return this.#parts.username }
		set username(v) { this.#parts.username = native.escape(String(v), 'user') }
		get password() { return this.#parts.password }
		set password(v) { this.#parts.password = native.escape(String(v), 'user') }
		get hostname() { return this.#parts.hostname }
		set hostname(v) { this.#set('hostname', String(v).replace(/[:/?#].*/, '')) }
		get port() { return this.#parts.port }
		set port(v) { this.#set('port', String(v)) }
		get host() { return this.hostname + (this.port && ':' + this.port) }
		set host(v) {
			const [, hostname, port] = /^([^:/?#]*)(?::(\d*))?/.exec(String(v))
			this.#set('hostname', hostname)
			if (port) this.#set('port', port)
		}
		get origin() { return this.hostname ? this.protocol + '//' + this.host : 'null' }
		get pathname() { return this.#parts.pathname }
		set pathname(v) { if (this.hostname) this.#parts.pathname = native.escape('/' + String(v).replace(/^[\\/]/, ''), 'path') }
		get search() { return this.#parts.search }
		set search(v) {
			const text = native.escape(String(v).replace(/^\?/, ''), 'query')
			this.#parts.search = text && '?' + text
			reset(this.#params, text)
		}
		get searchParams() { return this.#params }
		get hash() { return this.#parts.hash }
		set hash(v) {
			const text = native.escape(String(v).replace(/^#/, ''), 'hash')
			this.#parts.hash = text && '#' + text
		}
		get href() { return URL.#write(this.#parts) }
		set href(v) {
			this.#parts = URL.#read(v)
			reset(this.#params, this.search)
		}
		static #write(p) {
			const user = p.username || p.password ? p.username + (p.password && ':' + p.password) + '@' : ''
			return p.protocol + (p.hostname && '//' + user + p.hostname + (p.port && ':' + p.port)) + p.pathname + p.search + p.hash
		}
		#set(part, value) { // what would make no URL is passed over
			const parts = native.parseURL(URL.#write({ ...this.#parts, [part]: value }))
			if (parts !== null && this.hostname) this.#parts = parts
		}
		toString() { return this.href }
		toJSON() { return this.href }
	}

	const clone = (v, seen) => {
		if (typeof v === 'function' || typeof v === 'symbol') throw named(new Error(String(v) + ' could not be cloned.'), 'DataCloneError')
		if (v === null || typeof v !== 'object') return v
		if (seen.has(v)) return seen.get(v)
		const keep = (copy) => { seen.set(v, copy); return copy }
		if (v instanceof Date) return keep(new Date(v.getTime()))
		if (v instanceof RegExp) return keep(new RegExp(v.source, v.flags))
		if (v instanceof ArrayBuffer) return keep(v.slice(0))
		if (v instanceof Buffer) return keep(new Uint8Array(bufferOf(v)))
		if (ArrayBuffer.isView(v)) return keep(new v.constructor(bufferOf(v)))
		if (v instanceof Error) return keep(named(new v.constructor(v.message), v.name))
		if (v instanceof Boolean || v instanceof Number || v instanceof String) return keep(Object(v.valueOf()))
		if (v instanceof Map) {
			const copy = keep(new Map())
			for (const [key, value] of v) copy.set(clone(key, seen), clone(value, seen))
			return copy
		}
		if (v instanceof Set) {
			const copy = keep(new Set())
			for (const value of v) copy.add(clone(value, seen))
			return copy
		}
		const copy = keep(Array.isArray(v) ? new Array(v.length) : {})
		for (const key of Object.keys(v)) copy[key] = clone(v[key], seen)
		return copy
	}

	class Hash {
		#native
		#done = false
		constructor(name) {
			this.#native = native.hash(name)
			if (this.#native === null) throw new Error(`createHash: there is no algorithm ${name}; there are md5, sha1, sha224, sha256, sha384, sha512 and sha512-256`)
		}
		#open() { if (this.#done) throw new Error('Digest already called') }
		update(data, encoding) {
			this.#open()
			this.#native.update(typeof data === 'string' ? encode(data, encoding) : bufferOf(data))
			return this
		}
		digest(encoding) {
			this.#open()
			this.#done = true
			const bytes = new Buffer(this.#native.digest())
			return encoding && encoding !== 'buffer' ? bytes.toString(encoding) : bytes
		}
	}

	let timeLeft // of the signal of a fetch, in milliseconds; 0 for ever
	class AbortSignal {
		#deadline
		static { timeLeft = (signal) => (signal instanceof AbortSignal ? Math.max(signal.#deadline - Date.now(), 1) : 0) }
		static timeout(ms) {
			const signal = new AbortSignal()
			signal.#deadline = Date.now() + ms
			return signal
		}
		get aborted() { return Date.now() >= this.#deadline }
		get reason() { return this.aborted ? named(new Error('The operation was aborted due to timeout'), 'TimeoutError') : undefined }
		throwIfAborted() { if (this.aborted) throw this.reason }
	}

	class Headers {
		#map
		#cookies
		constructor(map, cookies) {
			this.#map = map
			this.#cookies = cookies
		}
		get(name) { return this.#map[String(name).toLowerCase()] ?? null }
		has(name) { return this.get(name) !== null }
		getSetCookie() { return [...this.#cookies] }
		*entries() { for (const name of Object.keys(this.#map).sort()) yield [name, this.#map[name]] }
		*keys() { for (const [name] of this.entries()) yield name }
		*values() { for (const [, value] of this.entries()) yield value }
		[Symbol.iterator]() { return this.entries() }
		forEach(fn, self) { for (const [name, value] of this.entries()) fn.call(self, value, name, this) }
	}
	class Response {
		#answer
		#used = false
		constructor(answer) {
			this.#answer = answer
			this.status = answer.status
			this.ok = answer.status >= 200 && answer.status < 300
			this.statusText = answer.statusText
			this.url = answer.url
			this.redirected = answer.redirected
			this.type = 'basic'
			this.headers = new Headers(answer.headers, answer.cookies ?? [])
		}
		get bodyUsed() { return this.#used }
		clone() { return new Response(this.#answer) }
		// Nothing is awaited here, so that the stack of an error has the caller.
		#take() {
			if (this.#used) throw new TypeError('Body is unusable: Body has already been read')
			this.#used = true
			return this.#answer.body
		}
		#text() { return new TextDecoder().decode(this.#take()) }
		async arrayBuffer() { return this.#take() }
		async bytes() { return new Uint8Array(this.#take()) }
		async text() { return this.#text() }
		async json() { return JSON.parse(this.#text()) }
	}

	const bodyOf = (body) => {
		if (body === undefined || body === null) return undefined
		return body instanceof ArrayBuffer || ArrayBuffer.isView(body) ? bufferOf(body) : native.encode(String(body), 'utf8')
	}
	const fetch = (url, init) => {
		native.mayFetch() // at once, since nobody may wait for the promise
		return send(url, init)
	}
	const send = async (url, init) => {
		const { method = 'GET', headers: given, body, signal } = init ?? {}
		const headers = {}
		for (const [name, value] of given?.[Symbol.iterator] ? given : Object.entries(given ?? {})) headers[name] = String(value)
		if (signal?.aborted) throw signal.reason
		const upper = String(method).toUpperCase()
		const bytes = bodyOf(body)
		if (bytes !== undefined) {
			if (upper === 'GET' || upper === 'HEAD') throw new TypeError('Request with GET/HEAD method cannot have body.')
			const type = body instanceof URLSearchParams ? 'application/x-www-form-urlencoded;charset=UTF-8' : 'text/plain;charset=UTF-8'
			const typed = ArrayBuffer.isView(body) || body instanceof ArrayBuffer || Object.keys(headers).some((name) => name.toLowerCase() === 'content-type')
			if (!typed) headers['Content-Type'] = type
		}
		const request = { url: String(url?.url ?? url), method: upper, headers, timeout: timeLeft(signal) }
		try {
			return new Response(await native.fetch(JSON.stringify(request), bytes))
		} catch (error) {
			throw signal?.aborted ? signal.reason : error
		}
	}

	// Whoever does not ask for it (fmcp-exec -v) sees nothing of what is logged.
	const loggable = (v) => {
		try {
			return typeof v === 'string' ? v : v instanceof Error ? String(v) : JSON.stringify(v) ?? String(v)
		} catch {
			return typeof v === 'bigint' ? String(v) : '[object]'
		}
	}
	const console = {}
	for (const level of ['log', 'info', 'debug', 'warn', 'error', 'trace', 'dir', 'table']) {
		console[level] = (...args) => { if (native.logs()) native.log(level, args.map(loggable).join(' ')) }
	}
	console.assert = (holds, ...args) => { if (!holds) console.error('Assertion failed', ...args) }
	for (const name of ['clear', 'count', 'countReset', 'group', 'groupCollapsed', 'groupEnd', 'time', 'timeEnd', 'timeLog']) console[name] = () => {}

	const globals = {
		console, fetch, URL, URLSearchParams, TextEncoder, TextDecoder, Buffer, AbortSignal,
		atob: (text) => {
			let clean = String(text).replace(/[\t\n\f\r ]/g, '')
			if (clean.length % 4 === 0) clean = clean.replace(/={1,2}$/, '')
			if (clean.length % 4 === 1 || /[^A-Za-z0-9+/]/.test(clean)) throw named(new Error('The string to be decoded is not correctly encoded.'), 'InvalidCharacterError')
			return native.decode(native.encode(clean, 'base64'), 'latin1')
		},
		btoa: (text) => {
			if (/[^\0-\xFF]/.test(String(text))) throw named(new Error('Invalid character'), 'InvalidCharacterError')
			return native.decode(native.encode(String(text), 'latin1'), 'base64')
		},
		structuredClone: (v) => clone(v, new Map()),
		Intl: intl(native),
	}
	for (const name of Object.keys(globals)) Object.defineProperty(globalThis, name, { value: globals[name], writable: true, configurable: true })

	const libraries = {
		crypto: { createHash: (name) => new Hash(String(name)) },
		zlib: { inflateRawSync: (data) => new Buffer(native.inflate(typeof data === 'string' ? encode(data) : bufferOf(data))) },
	}
	return { sharedLists: freeze(JSON.parse(lists)), libraries }
})
