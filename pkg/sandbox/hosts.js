// The host objects of the sandbox (DESIGN, "The sandbox"). It is called with
// what Go does and the JSON of the shared lists, and returns what the factory
// gets.
(function (native, lists) {
	const bufferOf = (v) => {
		if (v instanceof ArrayBuffer) return v
		if (ArrayBuffer.isView(v)) return v.buffer.slice(v.byteOffset, v.byteOffset + v.byteLength)
		if (typeof v === 'string') return native.encode(v, 'utf8')
		throw new TypeError('expected a string, an ArrayBuffer or a typed array')
	}
	const freeze = (v) => {
		if (v !== null && typeof v === 'object' && !Object.isFrozen(v)) {
			Object.freeze(v)
			for (const key of Object.keys(v)) freeze(v[key])
		}
		return v
	}

	class TextEncoder {
		get encoding() { return 'utf-8' }
		encode(text = '') { return new Uint8Array(native.encode(String(text), 'utf8')) }
	}
	class TextDecoder {
		constructor(label = 'utf-8') {
			const known = { 'utf-8': 'utf8', utf8: 'utf8', 'iso-8859-1': 'latin1', latin1: 'latin1', ascii: 'latin1' }
			this.encoding = String(label).toLowerCase()
			this.name = known[this.encoding]
			if (!this.name) throw new RangeError(`TextDecoder: encoding ${this.encoding} is not available`)
		}
		decode(bytes) {
			if (bytes === undefined) return ''
			return native.decode(bufferOf(bytes), this.name).replace(/^\uFEFF/, '')
		}
	}

	class Buffer extends Uint8Array {
		static from(v, encoding = 'utf8') {
			if (typeof v === 'string') return new Buffer(native.encode(v, String(encoding).toLowerCase()))
			if (v instanceof ArrayBuffer) return new Buffer(v)
			return new Buffer(new Uint8Array(ArrayBuffer.isView(v) ? bufferOf(v) : v).buffer)
		}
		static isBuffer(v) { return v instanceof Buffer }
		toString(encoding = 'utf8') { return native.decode(bufferOf(this), String(encoding).toLowerCase()) }
	}

	const decodePlus = (text) => {
		try {
			return decodeURIComponent(text.replace(/\+/g, ' '))
		} catch {
			return text
		}
	}
	const encodePlus = (text) => encodeURIComponent(text).replace(/%20/g, '+').replace(/[!'()~]/g, (c) => '%' + c.charCodeAt(0).toString(16).toUpperCase())
	class URLSearchParams {
		#list = []
		#changed
		constructor(init = '', changed = () => {}) {
			if (typeof init === 'string') {
				for (const part of init.replace(/^\?/, '').split('&')) {
					if (part === '') continue
					const i = part.indexOf('=')
					this.#list.push(i < 0 ? [decodePlus(part), ''] : [decodePlus(part.slice(0, i)), decodePlus(part.slice(i + 1))])
				}
			} else {
				for (const [key, value] of init[Symbol.iterator] ? init : Object.entries(init)) this.#list.push([String(key), String(value)])
			}
			this.#changed = changed
		}
		append(key, value) { this.#list.push([String(key), String(value)]); this.#changed(this) }
		delete(key) { this.#list = this.#list.filter(([k]) => k !== String(key)); this.#changed(this) }
		get(key) { const found = this.#list.find(([k]) => k === String(key)); return found ? found[1] : null }
		getAll(key) { return this.#list.filter(([k]) => k === String(key)).map(([, v]) => v) }
		has(key) { return this.#list.some(([k]) => k === String(key)) }
		set(key, value) {
			const i = this.#list.findIndex(([k]) => k === String(key))
			if (i < 0) {
				this.#list.push([String(key), String(value)])
			} else {
				this.#list = this.#list.filter(([k], j) => j <= i || k !== String(key))
				this.#list[i] = [String(key), String(value)]
			}
			this.#changed(this)
		}
		sort() { this.#list.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)); this.#changed(this) }
		forEach(fn) { for (const [key, value] of this.#list) fn(value, key, this) }
		keys() { return this.#list.map(([k]) => k)[Symbol.iterator]() }
		values() { return this.#list.map(([, v]) => v)[Symbol.iterator]() }
		entries() { return this.#list.map(([k, v]) => [k, v])[Symbol.iterator]() }
		[Symbol.iterator]() { return this.entries() }
		get size() { return this.#list.length }
		toString() { return this.#list.map(([k, v]) => encodePlus(k) + '=' + encodePlus(v)).join('&') }
	}

	class URL {
		#parts
		#params
		constructor(text, base) {
			this.#parts = native.parseURL(String(text), base === undefined ? undefined : String(base))
			if (this.#parts === null) throw new TypeError('Invalid URL')
		}
		get protocol() { return this.#parts.protocol }
		get username() { return this.#parts.username }
		get password() { return this.#parts.password }
		get hostname() { return this.#parts.hostname }
		set hostname(v) { this.#parts.hostname = String(v) }
		get port() { return this.#parts.port }
		set port(v) { this.#parts.port = String(v) }
		get host() { return this.hostname + (this.port === '' ? '' : ':' + this.port) }
		get origin() { return this.protocol + '//' + this.host }
		get pathname() { return this.#parts.pathname }
		set pathname(v) { this.#parts.pathname = encodeURI(String(v).replace(/^(?!\/)/, '/')).replace(/%25/g, '%').replace(/[?#]/g, encodeURIComponent) }
		get search() { return this.#parts.search === '' ? '' : '?' + this.#parts.search }
		set search(v) { this.#parts.search = String(v).replace(/^\?/, ''); this.#params = undefined }
		get hash() { return this.#parts.hash === '' ? '' : '#' + this.#parts.hash }
		set hash(v) { this.#parts.hash = String(v).replace(/^#/, '') }
		get searchParams() {
			if (!this.#params) this.#params = new URLSearchParams(this.#parts.search, (p) => { this.#parts.search = p.toString() })
			return this.#params
		}
		get href() {
			const user = this.username === '' ? '' : this.username + (this.password === '' ? '' : ':' + this.password) + '@'
			return this.protocol + (this.host === '' ? '' : '//') + user + this.host + this.pathname + this.search + this.hash
		}
		toString() { return this.href }
		toJSON() { return this.href }
	}

	const clone = (v, seen) => {
		if (typeof v === 'function' || typeof v === 'symbol') throw new TypeError('structuredClone: a ' + typeof v + ' cannot be cloned')
		if (v === null || typeof v !== 'object') return v
		if (seen.has(v)) return seen.get(v)
		const keep = (copy) => { seen.set(v, copy); return copy }
		if (v instanceof Date) return keep(new Date(v.getTime()))
		if (v instanceof RegExp) return keep(new RegExp(v.source, v.flags))
		if (v instanceof ArrayBuffer) return keep(v.slice(0))
		if (ArrayBuffer.isView(v)) return keep(new v.constructor(bufferOf(v)))
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

	const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December']
	const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
	const two = (n) => String(n).padStart(2, '0')
	class DateTimeFormat {
		#options
		constructor(locale = 'en-US', options = {}) {
			if (!['en-US', 'en'].includes(String(locale))) throw new RangeError(`Intl.DateTimeFormat: locale ${locale} is not available, en-US is`)
			const known = ['year', 'month', 'day', 'weekday', 'hour', 'minute', 'second', 'hour12', 'timeZone']
			for (const key of Object.keys(options)) {
				if (!known.includes(key)) throw new RangeError(`Intl.DateTimeFormat: option ${key} is not available`)
			}
			this.#options = { ...options }
			if (!known.slice(0, 7).some((key) => options[key])) Object.assign(this.#options, { year: 'numeric', month: 'numeric', day: 'numeric' })
			if (native.dateParts(0, options.timeZone ?? '') === null) throw new RangeError('Invalid time zone specified: ' + options.timeZone)
		}
		format(date = new Date()) {
			const o = this.#options
			const [year, month, day, hour, minute, second, weekday] = native.dateParts(+date, o.timeZone ?? '')
			const name = (list, i, how) => (how === 'long' ? list[i] : list[i].slice(0, 3))
			const y = o.year && (o.year === '2-digit' ? two(year % 100) : String(year))
			const d = o.day && (o.day === '2-digit' ? two(day) : String(day))
			const w = o.weekday && name(days, weekday, o.weekday)
			let text
			if (o.month === 'long' || o.month === 'short') {
				text = [[w, [name(months, month - 1, o.month), d].filter(Boolean).join(' ')].filter(Boolean).join(', '), y].filter(Boolean).join(d ? ', ' : ' ')
			} else {
				const m = o.month && (o.month === '2-digit' ? two(month) : String(month))
				text = [w, [m, d, y].filter(Boolean).join('/')].filter(Boolean).join(', ')
			}
			if (!o.hour && !o.minute && !o.second) return text
			const h = o.hour12 === false ? two(hour) : o.hour === '2-digit' ? two(hour % 12 || 12) : String(hour % 12 || 12)
			const clock = [o.hour && h, o.minute && two(minute), o.second && two(second)].filter(Boolean).join(':') + (o.hour && o.hour12 !== false ? (hour < 12 ? ' AM' : ' PM') : '')
			return [text, clock].filter(Boolean).join(', ')
		}
	}

	class Hash {
		#name
		#parts = ''
		constructor(name) { this.#name = name; native.hash(name, new ArrayBuffer(0)) }
		update(data, encoding = 'utf8') {
			this.#parts += native.decode(typeof data === 'string' ? native.encode(data, encoding) : bufferOf(data), 'latin1')
			return this
		}
		digest(encoding) {
			const bytes = Buffer.from(native.hash(this.#name, native.encode(this.#parts, 'latin1')))
			return encoding ? bytes.toString(encoding) : bytes
		}
	}

	class Headers {
		#map
		constructor(map) { this.#map = map }
		get(name) { return this.#map[String(name).toLowerCase()] ?? null }
		has(name) { return this.get(name) !== null }
		entries() { return Object.entries(this.#map)[Symbol.iterator]() }
		[Symbol.iterator]() { return this.entries() }
		forEach(fn) { for (const [name, value] of this.entries()) fn(value, name, this) }
	}
	class Response {
		#body
		constructor(answer) {
			this.#body = answer.body
			this.status = answer.status
			this.ok = answer.status >= 200 && answer.status < 300
			this.statusText = ''
			this.url = answer.url
			this.headers = new Headers(answer.headers)
		}
		async arrayBuffer() { return this.#body }
		async text() { return new TextDecoder().decode(this.#body) }
		async json() { return JSON.parse(await this.text()) }
	}
	const textOf = (body) => {
		if (body === undefined || body === null) return null
		if (typeof body === 'string' || body instanceof URLSearchParams) return String(body)
		return native.decode(bufferOf(body), 'utf8')
	}
	const fetch = (url, init = {}) => {
		const headers = {}
		const given = init.headers ?? {}
		for (const [name, value] of given[Symbol.iterator] ? given : Object.entries(given)) headers[name] = String(value)
		if (init.body instanceof URLSearchParams) headers['Content-Type'] ??= 'application/x-www-form-urlencoded'
		const request = { url: String(url), method: String(init.method ?? 'GET').toUpperCase(), headers, body: textOf(init.body) }
		return native.fetch(JSON.stringify(request)).then((answer) => new Response(answer))
	}

	const globals = {
		fetch, URL, URLSearchParams, TextEncoder, TextDecoder, Buffer,
		atob: (text) => native.decode(native.encode(String(text), 'base64'), 'latin1'),
		btoa: (text) => {
			if (/[^\0-\xFF]/.test(String(text))) throw new TypeError('btoa: the text has characters beyond Latin-1')
			return native.decode(native.encode(String(text), 'latin1'), 'base64')
		},
		structuredClone: (v) => clone(v, new Map()),
		AbortSignal: { timeout: () => ({ aborted: false }) },
		Intl: { DateTimeFormat: function (locale, options) { return new DateTimeFormat(locale, options) } },
	}
	for (const name of Object.keys(globals)) Object.defineProperty(globalThis, name, { value: globals[name], writable: true, configurable: true })

	const libraries = {
		crypto: { createHash: (name) => new Hash(String(name)) },
		zlib: { inflateRawSync: (data) => Buffer.from(native.inflate(bufferOf(data))) },
	}
	return { sharedLists: freeze(JSON.parse(lists)), libraries }
})
