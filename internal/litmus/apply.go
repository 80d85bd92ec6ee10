package litmus

import (
	"context"
	"errors"
	"reflect"
	"strconv"
	"sync/atomic"
	"time"
	"unsafe"
)

func (x *object) atomic(op Op, arg int) int {
	switch op.Verb {
	case Load:
		return int(atomic.LoadInt64(&x.n))
	case Store:
		atomic.StoreInt64(&x.n, int64(arg))
		return 0
	case Add:
		return int(atomic.AddInt64(&x.n, int64(arg)))
	case Count:
		atomic.AddInt64(&x.n, int64(arg))
		return 0
	case Swap:
		return int(atomic.SwapInt64(&x.n, int64(arg)))
	case CAS:
		return truth(atomic.CompareAndSwapInt64(&x.n, int64(op.Old), int64(arg)))
	case And:
		return int(atomic.AndInt64(&x.n, int64(arg)))
	case Or:
		return int(atomic.OrInt64(&x.n, int64(arg)))
	}
	panic(unknown(op))
}

func unknown(op Op) string { return "litmus: no such operation: " + op.String() }

// halves uses a word as a whole or by halves. The order of the halves depends on the
// processor: on all that are supported here the lower half comes first.
func (x *object) halves(op Op, arg int) int {
	low := (*uint32)(unsafe.Pointer(&x.word))
	high := (*uint32)(unsafe.Add(unsafe.Pointer(&x.word), 4))
	switch op.Verb {
	case Load: // both halves in one number
		w := atomic.LoadUint64(&x.word)
		return int(w>>32)*10 + int(uint32(w))
	case Store:
		atomic.StoreUint64(&x.word, uint64(arg)<<32|uint64(arg))
		return 0
	case LowAdd:
		return int(atomic.AddUint32(low, uint32(arg)))
	case Count:
		atomic.AddUint32(low, uint32(arg))
		return 0
	case HighLoad:
		return int(atomic.LoadUint32(high))
	case HighStore:
		atomic.StoreUint32(high, uint32(arg))
		return 0
	}
	panic(unknown(op))
}

func (x *object) any(op Op, arg int) int {
	switch op.Verb {
	case Load:
		v, _ := x.value.Load().(int)
		return v
	case Store:
		x.value.Store(arg)
		return 0
	case Swap:
		v, _ := x.value.Swap(arg).(int)
		return v
	case CAS:
		var old any = op.Old
		if op.Old == 0 {
			old = nil
		}
		return truth(x.value.CompareAndSwap(old, arg))
	}
	panic(unknown(op))
}

func (x *object) channel(op Op, arg int) int {
	switch op.Verb {
	case Send:
		x.ch <- arg
		return 0
	case Recv:
		v, ok := <-x.ch
		return received(v, ok)
	case TrySend:
		select {
		case x.ch <- arg:
			return 0
		default:
			return NotReady
		}
	case TryRecv:
		select {
		case v, ok := <-x.ch:
			return received(v, ok)
		default:
			return NotReady
		}
	case Len:
		return len(x.ch)
	case Close:
		close(x.ch)
		return 0
	}
	panic(unknown(op))
}

func received(v int, ok bool) int {
	if !ok {
		return Closed
	}
	return v
}

func (x *object) reflected(op Op, arg int) int {
	ch := reflect.ValueOf(x.ch)
	switch op.Verb {
	case Send:
		ch.Send(reflect.ValueOf(arg))
		return 0
	case Recv:
		v, ok := ch.Recv()
		return received(int(v.Int()), ok)
	case TrySend:
		if !ch.TrySend(reflect.ValueOf(arg)) {
			return NotReady
		}
		return 0
	case TryRecv:
		v, ok := ch.TryRecv()
		if !v.IsValid() {
			return NotReady
		}
		return received(int(v.Int()), ok)
	case Len:
		return ch.Len()
	case Close:
		ch.Close()
		return 0
	}
	panic(unknown(op))
}

// choose runs a select of two cases. Without package reflect each form is written out,
// because a select statement has fixed cases.
func (r *Run) choose(op Op) int {
	if op.Reflect {
		return r.chooseReflected(op)
	}
	a, b := op.Cases[0], op.Cases[1]
	x, y := r.objects[a.On].ch, r.objects[b.On].ch
	// A nil channel is never ready, so one statement serves sends and receives.
	var sx, sy chan<- int
	var rx, ry <-chan int
	if a.Send {
		sx = x
	} else {
		rx = x
	}
	if b.Send {
		sy = y
	} else {
		ry = y
	}
	var limit <-chan time.Time
	if op.Arg == 2 {
		limit = time.After(ms(2))
	}
	if op.Arg == 1 {
		select {
		case sx <- a.Arg:
			return selected(0, 0)
		case v, ok := <-rx:
			return selected(0, received(v, ok))
		case sy <- b.Arg:
			return selected(1, 0)
		case v, ok := <-ry:
			return selected(1, received(v, ok))
		default:
			return NotReady
		}
	}
	select {
	case sx <- a.Arg:
		return selected(0, 0)
	case v, ok := <-rx:
		return selected(0, received(v, ok))
	case sy <- b.Arg:
		return selected(1, 0)
	case v, ok := <-ry:
		return selected(1, received(v, ok))
	case <-limit:
		return TimedOut
	}
}

func (r *Run) chooseReflected(op Op) int {
	var cases []reflect.SelectCase
	for _, c := range op.Cases {
		one := reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(r.objects[c.On].ch)}
		if c.Send {
			one.Dir, one.Send = reflect.SelectSend, reflect.ValueOf(c.Arg)
		}
		cases = append(cases, one)
	}
	switch op.Arg {
	case 1:
		cases = append(cases, reflect.SelectCase{Dir: reflect.SelectDefault})
	case 2:
		cases = append(cases, reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(time.After(ms(2)))})
	}
	i, v, ok := reflect.Select(cases)
	switch {
	case i == len(op.Cases) && op.Arg == 2:
		return TimedOut
	case i == len(op.Cases):
		return NotReady
	case op.Cases[i].Send:
		return selected(i, 0)
	}
	return selected(i, received(int(v.Int()), ok))
}

func (x *object) syncMap(op Op, arg int) int {
	value := func(v any, ok bool) int {
		if !ok {
			return 0
		}
		return v.(int)
	}
	const key = "key"
	switch op.Verb {
	case MapLoad:
		return value(x.m.Load(key))
	case MapStore:
		x.m.Store(key, arg)
		return 0
	case LoadOrStore:
		v, _ := x.m.LoadOrStore(key, arg)
		return v.(int)
	case LoadAndDelete:
		return value(x.m.LoadAndDelete(key))
	case MapCAS:
		return truth(x.m.CompareAndSwap(key, op.Old, arg))
	}
	panic(unknown(op))
}

// A cause is the error that a context was cancelled with, as a number.
type cause int

func (c cause) Error() string { return strconv.Itoa(int(c)) }

func causeOf(ctx context.Context) int {
	var c cause
	errors.As(context.Cause(ctx), &c)
	return int(c)
}

// sync applies an operation of package sync, context or time.
func (r *Run) sync(x *object, op Op, arg int) int {
	switch op.Verb {
	case PlainLoad:
		return r.get(&x.plain)
	case PlainStore:
		r.put(&x.plain, arg)
	case Lock:
		if r.program.Objects[op.On].Kind == Mutex {
			x.mu.Lock()
		} else {
			x.rw.Lock()
		}
	case Unlock:
		if r.program.Objects[op.On].Kind == Mutex {
			x.mu.Unlock()
		} else {
			x.rw.Unlock()
		}
	case TryLock:
		if r.program.Objects[op.On].Kind == Mutex {
			return truth(x.mu.TryLock())
		}
		return truth(x.rw.TryLock())
	case RLock:
		x.rw.RLock()
	case RUnlock:
		x.rw.RUnlock()
	case TryRLock:
		return truth(x.rw.TryRLock())
	case Done:
		x.group.Done()
	case GroupAdd:
		x.group.Add(1)
	case Wait:
		x.group.Wait()
	case Do:
		x.once.Do(func() { atomic.AddInt64(&r.objects[arg].n, 1) })
	case CondLock:
		x.cond.L.Lock()
	case CondUnlock:
		x.cond.L.Unlock()
	case CondWait:
		x.cond.Wait()
	case Signal:
		x.cond.Signal()
	case Broadcast:
		x.cond.Broadcast()
	case Cancel:
		x.cancel(cause(arg))
	case Cause:
		return causeOf(x.ctx)
	case TryDone:
		select {
		case <-x.ctx.Done():
			return 1
		default:
			return 0
		}
	case AwaitDone:
		<-x.ctx.Done()
	case TimerStop:
		return truth(x.timer.Stop())
	case TimerReset:
		return truth(x.timer.Reset(ms(arg)))
	case PoolGet:
		if v, ok := x.pool.Get().(*int); ok {
			return *v
		}
	case PoolPut:
		x.pool.Put(&arg)
	default:
		panic(unknown(op))
	}
	return 0
}
