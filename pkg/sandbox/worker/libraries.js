// What libraries find besides the host objects: timers, and what a browser has
// for requests. Handlers do not get these: they are parameters of the function
// that each library's script is in. It is called with what Go does, the names
// of the parameters and the parts of Node that handlers have, and returns what
// runs such a function.
(function (native, names, { crypto, zlib }) {
	const handlersFetch = globalThis.fetch

	class Headers {
		#map = new Map()
		constructor(init = {}) {
			const list = init && typeof init[Symbol.iterator] === 'function' ? init : Object.entries(init ?? {})
			for (const [name, value] of list) this.append(name, value)
		}
		append(name, value) { this.set(name, this.has(name) ? this.get(name) + ', ' + value : value) }
		set(name, value) { this.#map.set(String(name).toLowerCase(), String(value)) }
		get(name) { return this.#map.get(String(name).toLowerCase()) ?? null }
		has(name) { return this.#map.has(String(name).toLowerCase()) }
		delete(name) { this.#map.delete(String(name).toLowerCase()) }
		keys() { return this.#map.keys() }
		values() { return this.#map.values() }
		entries() { return this.#map.entries() }
		[Symbol.iterator]() { return this.entries() }
		forEach(fn) { for (const [name, value] of this.#map) fn(value, name, this) }
	}

	class AbortSignal {
		#listeners = new Set()
		aborted = false
		reason = undefined
		onabort = null
		addEventListener(type, fn) { if (type === 'abort') this.#listeners.add(fn) }
		removeEventListener(type, fn) { this.#listeners.delete(fn) }
		throwIfAborted() { if (this.aborted) throw this.reason }
		static abort(signal, reason) {
			if (signal.aborted) return
			signal.aborted = true
			signal.reason = reason ?? Object.assign(new Error('This operation was aborted'), { name: 'AbortError' })
			const event = { type: 'abort', target: signal }
			if (signal.onabort) signal.onabort(event)
			for (const fn of signal.#listeners) typeof fn === 'function' ? fn.call(signal, event) : fn.handleEvent(event)
		}
		static timeout(ms) {
			const signal = new AbortSignal()
			setTimeout(() => AbortSignal.abort(signal, Object.assign(new Error('The operation timed out'), { name: 'TimeoutError' })), ms)
			return signal
		}
	}
	class AbortController {
		signal = new AbortSignal()
		abort(reason) { AbortSignal.abort(this.signal, reason) }
	}

	const setTimeout = (fn, ms = 0, ...args) => native.setTimer(+ms || 0, () => { fn(...args) })
	const clearTimeout = (id) => { native.clearTimer(+id || 0) }
	const intervals = new Map()
	const setInterval = (fn, ms = 0, ...args) => {
		const arm = () => setTimeout(() => { intervals.set(id, arm()); fn(...args) }, Math.max(1, +ms || 0))
		const id = arm()
		intervals.set(id, id)
		return id
	}
	const clearInterval = (id) => { clearTimeout(intervals.get(id) ?? id); intervals.delete(id) }

	// A TypeError of fetch would be made a "Network Error" by axios, and what
	// went wrong would be lost.
	const told = (e) => Object.assign(new Error(e.message), { name: 'FetchError', cause: e })
	const fetch = (url, init = {}) => new Promise((resolve, reject) => {
		const signal = init.signal
		if (signal?.aborted) throw signal.reason
		signal?.addEventListener('abort', () => reject(signal.reason))
		try {
			handlersFetch(url, { method: init.method, headers: new Headers(init.headers), body: init.body }).then(resolve, (e) => reject(told(e)))
		} catch (e) {
			reject(told(e))
		}
	})

	const quiet = () => {}
	const host = Object.create(globalThis)
	const globals = {
		globalThis: host, global: host, Headers, AbortController, AbortSignal, fetch,
		setTimeout, clearTimeout, setInterval, clearInterval,
		setImmediate: (fn, ...args) => setTimeout(fn, 0, ...args), clearImmediate: clearTimeout,
		queueMicrotask: (fn) => { Promise.resolve().then(fn) },
		console: { log: quiet, info: quiet, debug: quiet, warn: quiet, error: quiet, trace: quiet },
		crypto: {
			getRandomValues: (array) => {
				new Uint8Array(array.buffer, array.byteOffset, array.byteLength).set(new Uint8Array(native.random(array.byteLength)))
				return array
			},
		},
	}
	Object.assign(host, globals)

	const builtins = { crypto: { ...crypto, ...globals.crypto, webcrypto: globals.crypto }, zlib, buffer: { Buffer }, url: { URL, URLSearchParams } }
	const require = (name) => {
		if (Object.hasOwn(builtins, name)) return builtins[name]
		throw Object.assign(new Error(`Cannot find module '${name}'`), { code: 'MODULE_NOT_FOUND' })
	}
	return (run) => {
		const module = { exports: {} }
		run(module, module.exports, require, ...names.map((name) => globals[name]))
		const { library } = module.exports
		return library.default || library
	}
})
