# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -DPROGRAM=clinic -P test.cmake: runs the program and compares what it says with what is known. Random numbers are
# those of a seed, and bits are the same on every machine: what passes once passes always.
function(run result)
  execute_process(COMMAND ${PROGRAM} ${ARGN} --format json OUTPUT_VARIABLE text RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "clinic ${ARGN} ended with status ${status}")
  endif()
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# expect(WHAT VALUE LOW HIGH): stops unless LOW < VALUE < HIGH.
function(expect what value low high)
  if(NOT (value GREATER low AND value LESS high))
    message(FATAL_ERROR "${what} is ${value}, expected it between ${low} and ${high}")
  endif()
  message(STATUS "${what}: ${value}")
endfunction()

# The first of two patients does not wait, the second visit² / (gap + visit) = 5 minutes: on average 2.5.
run(experiment simulate clinic --doctors 1 --patients 2 --gap 10 --visit 10 --replications 40000)
string(JSON mean GET "${experiment}" tables means rows 0 mean)
expect("mean waiting time of two patients" ${mean} 2.4 2.6)

# A doctor costs as much as 5 minutes of waiting.
run(search optimize clinic --over doctors=1:8 --minimize "waiting time + 5*doctors" --replications 2000)
string(JSON doctors GET "${search}" tables answer rows 0 doctors)
expect("the best number of doctors" ${doctors} 2.5 3.5)

# A visit is worth less the shorter it is; its length is decided by derivatives.
run(search optimize clinic --over visit=2:20 --minimize "waiting time + 200/visit")
string(JSON visit GET "${search}" tables answer rows 0 visit)
expect("the best length of a visit" ${visit} 5 15)
